import type { Organization } from '#shared/organizations/organization';
import { noticeEmailStateOf } from '#shared/organizations/organization';
import { dayMs, dayOf } from '#shared/timing/day';
import { digest } from '#shared/tokens/base32';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Keyring, signToken, verifyToken } from '#shared/tokens/signed-token';
import { type Notice, newNotice } from './notice.ts';

// An organization names an address for notices, and nobody knows whose it is. So the address first gets one email with
// a link, from the organization's own domain. Only who follows the link and presses its button gets notices.

/** How many emails a day ask for a confirmation: for an organization, and of a mailbox by all organizations. */
export const mostConfirmationsADay = 3;

const validDays = 7;
/**
 * What a link confirms: this organization and this setting of this address. The digest shows neither, so tokens and
 * notices hold no address.
 */
export const bindingOf = ({ id, noticeEmail, noticeEmailVersion }: Organization): string =>
  digest(`${id} ${noticeEmailVersion ?? ''} ${noticeEmail ?? ''}`);

/** The notice that asks an organization's address for its confirmation. `send-notices` writes its link. */
export const newConfirmationRequest = (organization: Organization, now: number): Notice =>
  newNotice(
    organization.id,
    {
      cause: 'confirmation',
      about: `${bindingOf(organization)}-${now}`,
      subject: `Confirm that notices about ${organization.name} reach you here`,
      text: '',
    },
    now,
  );

/** The question comes from the organization's own domain, so it needs one. */
export const canAsk = ({ identity }: Organization): boolean => identity?.status === 'active';

/** Whether there is something to ask, and the organization can. */
export const mayAskForConfirmation = (organization: Organization): boolean =>
  canAsk(organization) && noticeEmailStateOf(organization) === 'pending';

/** Whether the request asks for the address that the organization has now, and nobody has confirmed it yet. */
export const isStillWanted = (request: Notice, organization: Organization): boolean =>
  request.about.startsWith(`${bindingOf(organization)}-`) &&
  noticeEmailStateOf(organization) === 'pending';

/** Until when the link of a request works, epoch milliseconds. It follows from the request, as its whole email does. */
const validUntilOf = ({ at }: Notice): number => at + validDays * dayMs;

/** The text of the email. The same each time, so that a repeated attempt is the same email. */
export function confirmationText(
  request: Notice,
  organization: Organization,
  { baseUrl, keyring }: { readonly baseUrl: string; readonly keyring: Keyring },
): string {
  const validUntil = validUntilOf(request);
  const payload = [organization.id, bindingOf(organization), validUntil].join(' ');
  const token = signToken(keyring, 'notices', payload);
  return `${organization.name} wants the notices of its email service sent to this address: that a webhook endpoint fails, that too
many emails bounce, that its domain is lost or that an API key may have leaked.

If that is right, open this link and press its button. It works until ${dayOf(validUntil)}:

${baseUrl}/notices/confirmation?token=${token}

If you don't know what this is about, ignore it. You will get no notices.
`;
}

/** What a token confirms. */
export type Confirmation = { readonly organizationId: OrganizationId; readonly binding: string };

/** Reads the token of a link; `undefined` when it is forged, altered or too old. */
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

/** Whether the organization still has the address that was asked. */
export const isConfirmedBy = (organization: Organization, { binding }: Confirmation): boolean =>
  organization.noticeEmail !== undefined && bindingOf(organization) === binding;
