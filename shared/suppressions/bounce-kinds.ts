// Says what SES's words for a bounce or a complaint mean for an address. The console has it too, so it has no imports.

/** Why SES did not hand an email to the recipient's server, where that was SES's own decision. */
export const providerReasons = ['provider_suppressed', 'address_guess'] as const;
export type ProviderReason = (typeof providerReasons)[number];

/** A bounce, as SES names its kind. */
export type BounceKind = { readonly bounceType: string; readonly bounceSubType: string };

/**
 * What each kind of bounce means for its address (SES developer guide, "Bounce types").
 *
 * - `suppress`: the recipient's server refused this email for good.
 * - `pass`: it refused the email for now, or for what's in it. A full mailbox or a slow host may recover.
 * - `provider_suppressed`: SES never asked the server. The address is on a list: of all SES customers, of the
 *   account, of the tenant, or of people who left a contact list of SES. Other senders fill such lists too.
 * - `address_guess`: SES's Auto Validation takes the address for a bad one, and never asked either.
 *
 * A kind that isn't here suppresses nobody: what SES has added so far were verdicts of its own, and a
 * suppression lasts.
 */
const bounceVerdicts: ReadonlyMap<string, 'suppress' | 'pass' | ProviderReason> = new Map([
  ['Permanent/General', 'suppress'],
  ['Permanent/NoEmail', 'suppress'],
  ['Permanent/Suppressed', 'provider_suppressed'],
  ['Permanent/OnAccountSuppressionList', 'provider_suppressed'],
  ['Permanent/OnTenantSuppressionList', 'provider_suppressed'],
  ['Permanent/UnsubscribedRecipient', 'provider_suppressed'],
  ['Permanent/EmailValidationSuppressed', 'address_guess'],
  ['Transient/General', 'pass'],
  ['Transient/MailboxFull', 'pass'],
  ['Transient/MessageTooLarge', 'pass'],
  ['Transient/ContentRejected', 'pass'],
  ['Transient/AttachmentRejected', 'pass'],
  ['Transient/CustomTimeoutExceeded', 'pass'],
  ['Undetermined/Undetermined', 'pass'],
]);

const nameOf = ({ bounceType, bounceSubType }: BounceKind): string =>
  `${bounceType}/${bounceSubType}`;

/** Whether a bounce suppresses the address: only a final refusal of the recipient's own server does. */
export const isSuppressingBounce = (bounce: BounceKind): boolean =>
  bounceVerdicts.get(nameOf(bounce)) === 'suppress';

/** The reason that a bounce is reported with: SES's own words, unless SES decided for the recipient's server. */
export const bounceReasonOf = (bounce: BounceKind): string =>
  providerReasonOf(nameOf(bounce)) ?? nameOf(bounce);

/**
 * Whether an event's reason says that SES decided by itself.
 *
 * @param reason also in SES's own words, which events had before 2026-11-22.
 */
export function providerReasonOf(reason: string): ProviderReason | undefined {
  const meant = bounceVerdicts.get(reason) ?? reason;
  return providerReasons.find((one) => one === meant);
}

/**
 * Whether SES made up a complaint for an email that it didn't send, as the address is on a list of complainers
 * (SES developer guide, "Complaint object", `complaintSubType`). Nobody complained about this email.
 */
export const isComplaintOfProvider = (complaintSubType: string | null | undefined): boolean =>
  complaintSubType === 'OnAccountSuppressionList' || complaintSubType === 'OnTenantSuppressionList';

/**
 * Whether a complaint leaves open who complained. Mailbox providers hide the complainer, so SES names every
 * recipient of the email whose provider it may be: a single one is the complainer (SES developer guide,
 * "Complained recipients").
 */
export const isPossibleComplaint = (named: readonly string[]): boolean => new Set(named).size > 1;
