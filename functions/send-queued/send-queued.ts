import { queuedSendSchema } from '#shared/sending/later/send-queue';
import type { SlotId } from '#shared/tokens/resource-id';

export type QueuedSend = { readonly messageId: string; readonly body: string };

/**
 * Makes the attempts of a batch in parallel. When an attempt sends nothing, the table holds the time of the next one. A
 * message goes back to the queue only when `attempt` throws, because table or bucket failed, or when it names no send.
 *
 * @returns the ids of the messages that go back to the queue.
 */
export async function sendQueued(
  queued: readonly QueuedSend[],
  attempt: (slotId: SlotId) => Promise<unknown>,
  reportFailure: (messageId: string, error: unknown) => void,
): Promise<string[]> {
  const failures = await Promise.all(
    queued.map(async ({ messageId, body }) => {
      try {
        await attempt(queuedSendSchema.parse(JSON.parse(body)).slotId);
        return [];
      } catch (error) {
        reportFailure(messageId, error);
        return [messageId];
      }
    }),
  );
  return failures.flat();
}
