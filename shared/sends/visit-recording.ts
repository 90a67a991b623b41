import type * as z from 'zod/mini';
import type { contactEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { openEngagementStore } from '#shared/tracking/engagement-store';
import { openTimelineStore } from './timeline-store.ts';

/** What the endpoints behind tracked links and pixels use. */
export function openVisitRecording(environment: z.output<typeof contactEnvironment>) {
  const table = openTable(environment.TABLE_NAME);
  return {
    now: Date.now,
    keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
    timelines: openTimelineStore(table),
    settlements: openSettlementStore(table),
    engagements: openEngagementStore(table),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  };
}
export type VisitRecording = ReturnType<typeof openVisitRecording>;
