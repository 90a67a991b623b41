import * as z from 'zod/mini';
import { capability } from '#shared/aws/capability';
import { createWaker } from '#shared/aws/queue-client';
import { sendQueueEnvironment } from '#shared/config/environment';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { organizationIdOf, type SlotId, slotIdSchema } from '#shared/tokens/resource-id';

export const queuedSendSchema = z.object({
  slotId: slotIdSchema,
  isRepeated: z.optional(z.literal(true)),
});
export type QueuedSend = z.infer<typeof queuedSendSchema>;

export type SendToWake = {
  readonly slotId: SlotId;
  /** An earlier message came too early, and this one replaces it: see `send-waiting.ts`. */
  readonly isRepeated?: true | undefined;
  /** How long SQS hides the message, at most `longestDelayMs`. */
  readonly delayMs: number;
};

/** SQS's limit (SendMessage, "DelaySeconds"). */
export const longestDelayMs = 900_000;

/**
 * The SQS queue: `functions/send-queued` takes its messages, while `functions/run-send-queue` looks for due sends in
 * the table.
 *
 * @returns a function that never throws. A send whose message is lost waits for the next scheduled run.
 */
export const createSenderWaker = (
  queueUrl: string,
): ((sends: readonly SendToWake[]) => Promise<void>) =>
  createWaker(
    queueUrl,
    ({ slotId, isRepeated, delayMs }) => ({
      MessageBody: JSON.stringify({ slotId, isRepeated } satisfies QueuedSend),
      DelaySeconds: Math.ceil(Math.max(0, delayMs) / 1_000),
      // A fair queue (SQS guide, "sqs-fair-queues"): an organization with a long backlog waits behind the others.
      MessageGroupId: organizationIdOf(slotId),
    }),
    report,
  );

export const wakesSenders = /* @__PURE__ */ capability(
  { environment: sendQueueEnvironment, wakesSendQueue: true },
  ({ SEND_QUEUE_URL }) => createSenderWaker(SEND_QUEUE_URL),
);

function report(error: unknown, unsent: readonly SendToWake[]): void {
  openRequestLog({ sends: unsent.length }).error('send queue not woken', error);
  publishCount('SendQueueNotWoken', {});
}
