import type * as z from 'zod/mini';
import type { SubscribedManager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { outboxEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import { contactIdOf } from '#shared/tokens/resource-id';
import { createQueueWaker, type WakeQueue } from '#shared/webhook-deliveries/sqs-delivery-queue';
import {
  openSuppressionListStore,
  type Suppression,
  type SuppressionListStore,
} from './suppression-list-store.ts';
import { openSuppressionStore, type SuppressionStore } from './suppression-store.ts';
import { outboxOf, suppressionRows } from './suppression-webhook-event.ts';

type SuppressionCreation = {
  readonly now: () => number;
  readonly suppressions: Pick<SuppressionStore, 'suppress'>;
  readonly suppressionList: Pick<SuppressionListStore, 'ofContact'>;
  readonly sendRetentionDays: number;
  readonly wakeQueue: WakeQueue;
};

export const openSuppressionCreation = (
  table: Table,
  environment: z.output<typeof outboxEnvironment>,
) => ({
  suppressions: openSuppressionStore(table),
  suppressionList: openSuppressionListStore(table),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});

type ByHand = {
  readonly caller: SubscribedManager;
  readonly body: { readonly email: { readonly identity: string }; readonly diagnostic?: string };
};

export async function createSuppression(
  { caller, body: { email, diagnostic } }: ByHand,
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
  if (outcome === 'suppressed')
    await creation.wakeQueue(rowsOf({ id: contactId, email: identity }));
  const { suppressions } = await creation.suppressionList.ofContact(contactId);
  const created = suppressions.find(({ reason }) => reason === 'manual');
  if (created !== undefined) return created;
  throw new ServiceError(
    'concurrent_change',
    'Another request lifted this suppression at the same time. Read the suppressions again.',
  );
}
