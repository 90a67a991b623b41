import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { knowsRetention } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { countOf, publishDuration } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { countAttempts, readDue } from '#shared/table/run-due';
import type { WebhookId } from '#shared/tokens/resource-id';
import {
  attemptDelivery,
  type Delivering,
  postsWebhooks,
} from '#shared/webhook-deliveries/attempt-delivery';
import { dueDeliveryList } from '#shared/webhook-deliveries/delivery-store';
import { type AuditReporting, reportAudit } from '#shared/webhook-deliveries/report-audit';
import {
  type EndpointShares,
  httpWorkMs,
  type RunResult,
  runDueDeliveries,
  scheduledWorkMs,
} from '#shared/webhook-deliveries/run-due-deliveries';
import { createSharedReads } from '#shared/webhooks/webhook-store';

// Files what webhooks get of the audit (`shared/webhook-deliveries/report-audit.ts`), as this is the run of each minute:
// without such webhooks, that costs one read. Then it makes the attempts that are due in the table: retries, what
// `redeliver-failed-deliveries` stored, and first attempts that `deliver-webhooks` postponed or never got from SQS.
//
// Runs every minute, set by `runEachMinute` in `infra/constructs/pipelines/webhook-delivery.ts`, and when asked over
// HTTP. `serveCron` in `shared/endpoints/serve-secret.ts` takes both.
// How long a run works, and how much at a time: `shared/webhook-deliveries/run-due-deliveries.ts`.

/** Kept between runs: Lambda mostly gives the next run to the same process. */
const learnsShares = capability({}, (): EndpointShares => new Map());

type Retrying = Omit<Delivering, 'reads'> & { readonly shares: EndpointShares };

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/webhooks/queue/run',
    access: 'cron_secret',
    answers: {
      200: {
        body: z.object({
          processed: z.int(),
          delivered: z.int(),
          rescheduled: z.int(),
          failed: z.int(),
        }),
        description: 'The outcome of the attempts.',
        example: { processed: 3, delivered: 2, rescheduled: 1, failed: 0 },
      },
    },
    uses: { posting: postsWebhooks, shares: learnsShares, sendRetentionDays: knowsRetention },
    lambda: {
      tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
      timeoutSeconds: 85,
      memoryMegabytes: 1769,
    },
    words: {
      section: 'Webhooks',
      summary: 'Attempt the webhook deliveries that are due',
      description: `The deployment’s schedule does this every minute. Over HTTP, a run starts attempts for ${httpWorkMs / 1_000} seconds and leaves the rest to the next run.`,
    },
  },
  async ({ caller, log }, { sendRetentionDays, ...retrying }) => {
    await fileAudit({ ...retrying, sendRetentionDays }, log);
    return retryDueWebhooks(caller === 'schedule' ? scheduledWorkMs : httpWorkMs, retrying, log);
  },
);

/** What doesn't fit waits for the next run: due attempts come first. */
const auditMs = 5_000;

/**
 * Never throws: the audit must not hold up the attempts. Faults of the table make those late, too, and an unreadable
 * entry has its own alarm.
 */
export async function fileAudit(
  { table, now, sendRetentionDays }: Omit<AuditReporting, 'reportFailure'>,
  log: RequestLog,
): Promise<void> {
  const reportFailure = (webhookId: WebhookId, error: unknown) =>
    log.error('audit not reported', error, { webhookId });
  try {
    const reporting = { table, now, sendRetentionDays, reportFailure };
    const filed = await reportAudit(now() + auditMs, reporting);
    if (filed > 0) log.info('audit reported', { filed });
  } catch (error) {
    log.error('audit not reported', error, {});
  }
}

/** A run makes hundreds of attempts a second at one endpoint; one read of its webhook a second serves them all. */
const sharedReadMs = 1_000;

/**
 * Starts no attempt later than `workMs` from now. Every run publishes how late the oldest delivery was, even if nothing
 * was due: the alarm goes off when the figure is high or missing. What a paused endpoint has doesn't count.
 *
 * @throws Error if it could record none of several attempts.
 */
export async function retryDueWebhooks(
  workMs: number,
  { shares, ...service }: Retrying,
  log: RequestLog,
): Promise<RunResult> {
  const { table, now } = service;
  const startedAt = now();
  const reads = createSharedReads(table, sharedReadMs, now);
  // An endpoint that can't be read fails at its own attempts, which read it again: throwing here would end the shard's
  // run for every organization.
  const isPaused = async (id: WebhookId) => {
    const webhook = await reads.get(id).catch(() => undefined);
    return webhook?.pausedAt !== undefined;
  };
  const { due, latenessMs } = readDue(table, dueDeliveryList, startedAt, isPaused);
  const count = countAttempts(startedAt);
  const result = await runDueDeliveries(startedAt + workMs, {
    now,
    due,
    shares,
    attempt: async (delivery) => {
      const attempted = await attemptDelivery(delivery, 'due', { ...service, reads });
      const counted = countOf('WebhookAttempted', { result: attempted });
      log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
      count.made();
      return attempted;
    },
    reportFailure: (delivery, error) => {
      const { id: deliveryId } = delivery;
      count.failed(delivery);
      log.error('webhook attempt not recorded', error, { deliveryId });
    },
  });
  publishDuration('WebhookOldestDueLateness', latenessMs());
  if (result.processed > 0) log.info('due webhooks attempted', result);
  count.requireAnyMade('no webhook attempt could be recorded');
  return result;
}
