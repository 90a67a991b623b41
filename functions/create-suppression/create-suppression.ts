import { newAuditEntry } from '#shared/audit/audit-entry';
import type { WakeQueue } from '#shared/deliveries/sqs-delivery-queue';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type {
  Suppression,
  SuppressionListStore,
} from '#shared/suppressions/suppression-list-store';
import type { SuppressionStore } from '#shared/suppressions/suppression-store';
import { outboxOf, suppressionRows } from '#shared/suppressions/suppression-webhook-event';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

export type SuppressionCreation = {
  readonly now: () => number;
  readonly suppressions: Pick<SuppressionStore, 'suppress'>;
  readonly suppressionList: Pick<SuppressionListStore, 'ofContact'>;
  readonly sendRetentionDays: number;
  readonly wakeQueue: WakeQueue;
};

/** Suppresses an address by hand. Repeating it changes nothing: the first cause stays. */
export async function createSuppression(
  { caller, body: { email, diagnostic } }: RequestTo<typeof endpoint>,
  creation: SuppressionCreation,
): Promise<Suppression> {
  const { organizationId, actor, subscribed } = caller;
  const { identity } = email;
  const contactId = contactIdOf(organizationId, identity);
  const now = creation.now();
  const change = { action: 'suppression.created', target: contactId, after: { reason: 'manual' } };
  const entry = newAuditEntry(organizationId, actor, change, now);
  const suppressed = { reason: 'manual', at: now } as const;
  const outbox = outboxOf(subscribed, creation.sendRetentionDays, now);
  const rowsOf = suppressionRows('suppression.added', [suppressed], outbox, now);
  const outcome = await creation.suppressions.suppress(
    organizationId,
    identity,
    'manual',
    now,
    { diagnostic },
    { entry, rowsOf },
  );
  if (outcome === 'suppressed') await creation.wakeQueue(rowsOf({ id: contactId }));
  const { suppressions } = await creation.suppressionList.ofContact(contactId);
  const created = suppressions.find(({ reason }) => reason === 'manual');
  if (created !== undefined) return created;
  throw new ServiceError(
    'concurrent_change',
    'Another request lifted this suppression at the same moment. Read the suppressions again.',
  );
}
