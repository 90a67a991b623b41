import { type ApiKey, invitationDays } from '#shared/access/api-key';
import { linkMs } from '#shared/access/sign-in';
import { dayMs } from '#shared/timing/day';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { type Notice, newNotice } from './notice.ts';

// To the people of an organization: an invitation, which needs no secret, and the links that they sign in with.

/** By an organization: they're mailed from the deployment's address if it has none of its own. */
export const maxInvitationsPerDay = 100;

export const signInEmail = (organizationName: string, link: string) => ({
  subject: `Sign in to ${organizationName}`,
  text: `Somebody, probably you, asked to sign in to the email console of ${organizationName} with this address.

Open this link in the browser where you asked. It works once, for ${linkMs / 60_000} minutes:

${link}

If it wasn't you, ignore this email. Nobody gets in without the link.
`,
});

export const newInvitationNotice = (
  { id, person }: ApiKey,
  organizationName: string,
  now: number,
): Notice => ({
  ...newNotice(
    organizationIdOf(id),
    {
      cause: 'invitation',
      about: `${id}-${now}`,
      subject: `You're invited to ${organizationName}`,
      text: '',
    },
    now,
  ),
  to: person?.email,
});

/** Only the mailbox's reader can sign in, so a forwarded invitation lets nobody in. */
export const invitationText = (
  { at }: Notice,
  organizationName: string,
  { baseUrl }: { readonly baseUrl: string },
): string => `You're invited to the email console of ${organizationName}.

Sign in with this address before ${minuteOf(at + invitationDays * dayMs)} UTC:

${baseUrl}/console

You'll get a link by email each time. There is no password.
`;

const minuteOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
