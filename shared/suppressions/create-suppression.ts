import type { SubscribedManager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { getSuppressedContact, type Suppression } from './suppression-list-store.ts';
import { deliverySettingsOf } from './suppression-outbox.ts';
import { suppressAddress } from './suppression-store.ts';

type ByHand = {
  readonly caller: SubscribedManager;
  readonly body: { readonly email: { readonly identity: string }; readonly diagnostic?: string };
};

/** What a suppression that is created or lifted is stored and reported with. */
export type SuppressionReporting = TableAndClock & {
  readonly sendRetentionDays: number;
  readonly wakeQueue: WakeQueue;
};

export async function createSuppression(
  { caller, body: { email, diagnostic } }: ByHand,
  { table, now: readClock, sendRetentionDays, wakeQueue }: SuppressionReporting,
): Promise<Suppression> {
  const { organizationId, actor, subscribed } = caller;
  const { identity } = email;
  const contactId = contactIdOf(organizationId, identity);
  const now = readClock();
  const change = { action: 'suppression.created', target: contactId, after: { reason: 'manual' } };
  const entry = newAuditEntry(organizationId, actor, change, now);
  const deliverySettings = deliverySettingsOf(subscribed, sendRetentionDays, now);
  const { deliveries } = await suppressAddress(
    table,
    organizationId,
    { identity, reason: 'manual', details: { diagnostic } },
    now,
    { entry, deliverySettings },
  );
  await wakeQueue(deliveries);

  const { suppressions } = await getSuppressedContact(table, contactId);
  const created = suppressions.find(({ reason }) => reason === 'manual');
  if (created !== undefined) return created;
  throw new ServiceError(
    'concurrent_change',
    'Another request lifted this suppression at the same time. Read the suppressions again.',
  );
}
