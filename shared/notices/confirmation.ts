import type { Organization } from '#shared/organizations/organization';
import { dayMs, dayOf } from '#shared/timing/day';
import { digest } from '#shared/tokens/base32';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';
import { type Notice, newNotice } from './notice.ts';

// We don't know who owns the address for notices. It first gets one email with a link, from the organization's own
// domain, and notices only once its owner presses the button behind the link.

/** Per day: for an organization, and for a mailbox by all organizations. */
export const maxConfirmationsPerDay = 3;

const validDays = 7;
/**
 * A link confirms this setting of this address for this organization. The digest shows neither, so tokens and notices
 * contain no address.
 */
const bindingOf = ({ id, noticeEmail, noticeEmailVersion }: Organization): string =>
  digest(`${id} ${noticeEmailVersion ?? ''} ${noticeEmail ?? ''}`);

/** `send-notices` writes the link. */
export const newConfirmationRequest = (organization: Organization, now: number): Notice =>
  newNotice(
    organization.id,
    {
      cause: 'confirmation',
      about: `${bindingOf(organization)}-${now}`,
      subject: `Confirm this address for notices about ${organization.name}`,
      text: '',
    },
    now,
  );

/** The request comes from the organization's own domain. */
export const canAsk = ({ identity }: Organization): boolean => identity?.status === 'active';

export const mayAskForConfirmation = (organization: Organization): boolean =>
  canAsk(organization) && organization.noticeEmailState === 'pending';

export const isStillPending = (request: Notice, organization: Organization): boolean =>
  request.about.startsWith(`${bindingOf(organization)}-`) &&
  organization.noticeEmailState === 'pending';

/** Epoch milliseconds. Follows from the request, like its whole email. */
const validUntilOf = ({ at }: Notice): number => at + validDays * dayMs;

/** The same text each time, so that a repeated attempt is the same email. */
export function confirmationText(
  request: Notice,
  organization: Organization,
  { baseUrl, keyring }: { readonly baseUrl: string; readonly keyring: Keyring },
): string {
  const validUntil = validUntilOf(request);
  const payload = [organization.id, bindingOf(organization), validUntil].join(' ');
  const token = signToken(keyring, 'notices', payload);
  return `${organization.name} would like to send notices about its email service to this address: when a webhook endpoint
fails, too many emails bounce, a domain loses its verification, or an API key may have leaked.

If you want them, open this link and press the button. The link works until ${dayOf(validUntil)}:

${baseUrl}/notices/confirmation?token=${token}

If you weren't expecting this, ignore it. You'll get no notices.
`;
}

export type Confirmation = { readonly organizationId: OrganizationId; readonly binding: string };

/** `undefined` if the token is forged, altered or too old. */
export function readConfirmation(
  keyring: Keyring,
  token: string,
  now: number,
): Confirmation | undefined {
  const [owner, binding = '', validUntil] =
    verifyToken(keyring, 'notices', token)?.split(' ') ?? [];
  const organizationId = organizationIdSchema.safeParse(owner).data;
  if (organizationId === undefined || !(now < Number(validUntil))) return undefined;
  return { organizationId, binding };
}

export const isConfirmedBy = (organization: Organization, { binding }: Confirmation): boolean =>
  organization.noticeEmail !== undefined && bindingOf(organization) === binding;
