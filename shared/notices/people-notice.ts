import { type ApiKey, invitationDays } from '#shared/access/api-key';
import { newCredential } from '#shared/access/credential-text';
import { linkMs } from '#shared/access/sign-in';
import { toSeconds } from '#shared/table/expiry';
import { dayMs } from '#shared/timing/day';
import { digest } from '#shared/tokens/base32';
import { type ApiKeyId, apiKeyIdSchema, organizationIdOf } from '#shared/tokens/resource-id';
import { type Keyring, keyedDigestOf } from '#shared/tokens/signed-token';
import { type Notice, newNotice } from './notice.ts';

// To the people of an organization: an invitation, which needs no secret, and the links that they sign in with.

/** To one person, beside the hourly limit of an address: what strangers can have mailed stays bounded. */
export const maxSignInEmailsPerDay = 100;

/** By an organization: they're mailed from the deployment's address if it has none of its own. */
export const maxInvitationsPerDay = 100;

/** @param nonce names the link. The secret follows from it and the deployment's key, so the table alone can't tell. */
export const newSignInNotice = (
  { id, person }: ApiKey,
  organizationName: string,
  nonce: string,
  now: number,
): Notice => ({
  ...newNotice(
    organizationIdOf(id),
    {
      cause: 'sign_in',
      about: `${id}-${nonce}`,
      subject: `Sign in to ${organizationName}`,
      text: '',
    },
    now,
  ),
  to: person?.email,
  // A link that's over isn't mailed.
  expiresAt: toSeconds(now + linkMs),
});

export const linkSecretOf = (keyring: Keyring, id: ApiKeyId, nonce: string): string =>
  digest(keyedDigestOf(keyring, `sign-in ${id} ${nonce}`), 32);

export function signInText(
  { about }: Notice,
  organizationName: string,
  { baseUrl, keyring }: { readonly baseUrl: string; readonly keyring: Keyring },
): string {
  const [id, nonce = ''] = about.split('-');
  const apiKeyId = apiKeyIdSchema.parse(id);
  const secret = linkSecretOf(keyring, apiKeyId, nonce);
  const { text } = newCredential('link', apiKeyId, { secret });
  return `Somebody, probably you, asked to sign in to the email console of ${organizationName} with this address.

Open this link in the browser where you asked. It works once, for ${linkMs / 60_000} minutes:

${baseUrl}/console/sign-in#${text}

If it wasn't you, ignore this email. Nobody gets in without the link.
`;
}

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
