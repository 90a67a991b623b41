import type { SubscribedManager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { SuppressionReason } from '#shared/contacts/contact';
import { ServiceError } from '#shared/errors/service-error';
import type { ContactId } from '#shared/tokens/resource-id';
import type { SuppressionReporting } from './create-suppression.ts';
import type { ProviderListRemoval } from './ses-suppression-list.ts';
import type { Suppression } from './suppression-list-store.ts';
import { deliverySettingsOf } from './suppression-outbox.ts';
import { removeSuppressions } from './suppression-store.ts';

/**
 * - `removed`: it was on the list and no longer is.
 * - `untouched`: SES wasn't asked. No suppression caused by an SES event was lifted, or another one remains, or the
 *   person was erased and the address is gone.
 */
export const providerListOutcomes = ['removed', 'not_listed', 'untouched'] as const;
type ProviderListOutcome = (typeof providerListOutcomes)[number];

export type Lifting = SuppressionReporting & { readonly providerList: ProviderListRemoval };

/** `all` are the contact's current suppressions; at least one has a reason from `reasons`. */
export type Lift = {
  readonly contactId: ContactId;
  readonly all: readonly Suppression[];
  readonly reasons: readonly SuppressionReason[];
  /** The address as the caller wrote it. */
  readonly address?: string;
};

/**
 * Order of effects: the address leaves SES's own list, then the suppressions are removed, with the audit entry and the
 * report to webhooks. If the process dies in between, the address is still suppressed here. The other way round, SES
 * would drop emails that were answered as sent.
 */
export async function liftFromContact(
  { contactId, all, reasons, address }: Lift,
  { organizationId, actor, subscribed }: SubscribedManager,
  { table, now, providerList, sendRetentionDays, wakeQueue }: Lifting,
): Promise<ProviderListOutcome> {
  const lifted = all.filter(({ reason }) => reasons.includes(reason));
  const remaining = all.filter(({ reason }) => !reasons.includes(reason));
  const spellings = spellingsOf(all, address);
  const concernsProvider = lifted.some(isOfOwnEvent) && !remaining.some(isOfOwnEvent);
  const outcome =
    concernsProvider && spellings.length > 0
      ? outcomeOf(await providerList.remove(table, organizationId, spellings))
      : 'untouched';

  const at = now();
  const before = Object.fromEntries(lifted.map((one) => [one.reason, { at: one.at }]));
  const change = { action: 'suppression.lifted', target: contactId, before };
  const entry = newAuditEntry(organizationId, actor, change, at);
  const contact = { id: contactId, email: all[0]?.email };
  const deliverySettings = deliverySettingsOf(subscribed, sendRetentionDays, at);
  const deliveries = await removeSuppressions(table, contact, lifted, at, {
    entry,
    deliverySettings,
  });
  if (deliveries === undefined) throw liftedMeanwhile();
  await wakeQueue(deliveries);
  return outcome;
}

/**
 * The organization's own email bounced or drew a complaint, so SES may list the address. Imported suppressions
 * prove nothing.
 */
export const isOfOwnEvent = ({ providerMessageId }: Suppression): boolean =>
  providerMessageId !== undefined;

export function spellingsOf(suppressions: readonly Suppression[], address?: string): string[] {
  const known = suppressions.flatMap((one) => [one.email, one.address]);
  const spellings = new Set([address, ...known].filter((text) => text !== undefined));
  // Leaves out the placeholder of an erased address.
  return [...spellings].filter((text) => text.includes('@'));
}

const outcomeOf = (wasListed: boolean) => (wasListed ? 'removed' : 'not_listed');

const liftedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request lifted this suppression at the same time. Read the suppressions again.',
  );
