import type { DeliveryId } from '#shared/tokens/resource-id';
import type { AttemptResult } from '#shared/webhooks/attempt-delivery';

export type QueuedDelivery = { readonly messageId: string; readonly body: DeliveryId };

export type DeliverDependencies = {
  readonly attempt: (id: DeliveryId) => Promise<AttemptResult>;
  readonly reportFailure: (id: DeliveryId, error: unknown) => void;
};

/**
 * Makes the first attempts, in parallel. An attempt that fails has its next one in the table; only one
 * whose outcome could not be stored is given back to the queue.
 *
 * @returns the ids of the messages to be given again.
 */
export async function deliverWebhooks(
  queued: readonly QueuedDelivery[],
  { attempt, reportFailure }: DeliverDependencies,
): Promise<string[]> {
  const failures = await Promise.all(
    queued.map(async ({ messageId, body: id }) => {
      try {
        await attempt(id);
        return [];
      } catch (error) {
        reportFailure(id, error);
        return [messageId];
      }
    }),
  );
  return failures.flat();
}
