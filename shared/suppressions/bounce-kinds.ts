// What SES's words for a bounce or a complaint mean for an address. No imports: the console has it too.

const providerReasons = ['provider_suppressed', 'address_guess'] as const;
export type ProviderReason = (typeof providerReasons)[number];

type BounceKind = { readonly bounceType: string; readonly bounceSubType: string };

/**
 * SES developer guide, "Bounce types".
 *
 * - `suppress`: the recipient's server refused this email for good.
 * - `pass`: it refused the email for now, or for its content. A full mailbox or a slow host may recover.
 * - `provider_suppressed`: SES never asked the server. The address is on a list that other senders fill, too: SES's
 *   own, the account's, the tenant's, or the opt-outs of an SES contact list.
 * - `address_guess`: SES's Auto Validation considers the address bad, and never asked either.
 *
 * Unknown kinds suppress no address: so far, SES has only added its own verdicts, and a suppression lasts.
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

/** Only a final refusal by the recipient's own server suppresses the address. */
export const isSuppressingBounce = (bounce: BounceKind): boolean =>
  bounceVerdicts.get(nameOf(bounce)) === 'suppress';

/** SES's words, unless SES decided for the recipient's server. */
export function bounceReasonOf(bounce: BounceKind): string {
  const name = nameOf(bounce);
  return providerReasonOf(bounceVerdicts.get(name) ?? '') ?? name;
}

/** @param reason an event's. */
export const providerReasonOf = (reason: string): ProviderReason | undefined =>
  providerReasons.find((one) => one === reason);

/** The email is lost for good. Other bounces are soft: a later email may arrive. */
export const isHardBounce = (reason = ''): boolean =>
  reason.startsWith('Permanent') || providerReasonOf(reason) !== undefined;

/**
 * SES made the complaint up: it didn't send the email, because the address is on a list of complainers (SES developer
 * guide, "Complaint object", `complaintSubType`).
 */
export const isComplaintOfProvider = (complaintSubType: string | null | undefined): boolean =>
  complaintSubType === 'OnAccountSuppressionList' || complaintSubType === 'OnTenantSuppressionList';

/**
 * Mailbox providers hide the complainer, so SES names every recipient it may be (SES developer guide, "Complained
 * recipients").
 */
export const isPossibleComplaint = (named: readonly string[]): boolean => new Set(named).size > 1;
