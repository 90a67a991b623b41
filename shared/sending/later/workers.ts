import type * as z from 'zod/mini';
import { megabyte } from '#shared/attachments/attachment-rejection';
import { workerEnvironment } from '#shared/config/environment';
import { openIdentityClient, readSendQuota } from '#shared/domains/ses-identities';
import { countOf, publishPercent } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { openMailing } from '#shared/sending/sending';
import { openContentStore } from '#shared/stored-content/content-store';
import type { Table } from '#shared/table/table-client';
import { createPace } from '#shared/timing/pace';
import { createSemaphore } from '#shared/timing/semaphore';
import { createSenderWaker, type QueuedSend } from './send-queue.ts';
import { keepSendRate, queuedSendRate } from './send-rate.ts';
import { sendWaiting, type WaitingOutcome, type WaitingSending } from './send-waiting.ts';

type WorkerEnvironment = z.output<typeof workerEnvironment>;

export const sendsWaiting = {
  tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
  readsSecrets: ['tokenSigningKey'],
  sendsEmail: true,
  sendsTestEmail: true,
  sesActions: ['GetAccount'],
  contents: { waiting: ['Get', 'Delete'], kept: ['Put'] },
  environment: workerEnvironment,
  wakesSendQueue: true,
  wakesWebhookQueue: true,
  holdsLargestEmail: true,
} as const;

/**
 * How much of attachments a function of so many megabytes holds. Measured with emails of 10 MB at once: one took 393
 * MB, five 649, eight 731, twelve 1,091. One of 25 MB took 614.
 */
export const attachmentBytesIn = (memoryMegabytes: number): number =>
  ((memoryMegabytes - 300) / 10) * megabyte;

/** For a function whose role is `sendsWaiting`. `open-function.ts` adds the table, the clock and the limits. */
export function openWaitingSending(_table: Table, environment: WorkerEnvironment) {
  const perSecond = openWorkerPace(environment);
  return {
    // What is stored already includes uploads and files behind URLs.
    ...openMailing(environment),
    contents: openContentStore(environment),
    keptContents: openContentStore(environment),
    wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
    perSecond,
    takeTurn: createPace(perSecond),
    memory: createSemaphore(attachmentBytesIn(environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE)),
  };
}

/**
 * Follows SES's rate for the account. Also publishes how much of the daily quota is used, which SES's answer includes:
 * CloudWatch has no metric for it.
 */
function openWorkerPace({
  QUEUED_SENDS_PER_SECOND: most,
  SEND_RATE_SHARE: share,
}: WorkerEnvironment): () => Promise<number> {
  const client = openIdentityClient();
  const readRate = keepSendRate(async () => {
    const { maxSendRate, usedPercent } = await readSendQuota(client);
    if (usedPercent !== undefined) publishPercent('SesQuotaUsed', usedPercent);
    return maxSendRate;
  });
  return async () => queuedSendRate(await readRate(), { most, share });
}

export async function attend(
  queued: QueuedSend,
  sending: WaitingSending,
  log: RequestLog,
): Promise<WaitingOutcome> {
  const outcome = await sendWaiting(queued, sending, log);
  log.info('waiting send attempted', {}, [countOf('WaitingSendAttempted', { outcome })]);
  return outcome;
}
