import type * as z from 'zod/mini';
import type { workerEnvironment } from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { contentKeeper, openMailing } from '#shared/sending/sending';
import { openTable } from '#shared/table/table-client';
import { openPace } from '#shared/timing/pace';
import type { SlotId } from '#shared/tokens/resource-id';
import { createSenderWaker } from './send-queue.ts';
import { sendWaiting, type WaitingOutcome, type WaitingSending } from './send-waiting.ts';
import { openWaitingStore } from './waiting-store.ts';

export const openWaitingSending = (
  environment: z.output<typeof workerEnvironment>,
): WaitingSending => ({
  ...openMailing(environment),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
  waiting: openWaitingStore(openTable(environment.TABLE_NAME)),
  contents: openContentStore(environment),
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
  takeTurn: openPace(environment.SENDS_PER_SECOND_OF_PROCESS),
  // What a request names by its upload or a URL is in the content.
  keepContent: contentKeeper(openContentStore(environment)),
  fetchUpload: async () => undefined,
  fetchFile: async () => ({ kind: 'failed', reason: 'is fetched when the email is stored' }),
  attachmentLimits: { maxCount: 0, maxTotalBytes: 0 },
});

/** Sends one that is due, and tells what came of it. */
export async function attend(
  slotId: SlotId,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const outcome = await sendWaiting(slotId, sending, log);
  log.info('waiting send attempted', { outcome });
  publishCount('WaitingSendAttempted', { outcome });
  return outcome;
}
