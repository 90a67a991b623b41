import type { AttemptResult } from '#shared/webhooks/attempt-delivery';
import { type DeliveryReference, deliveryReferenceSchema } from '#shared/webhooks/delivery';

export type QueuedDelivery = { readonly messageId: string; readonly body: string };

export type DeliverDependencies = {
  readonly attempt: (delivery: DeliveryReference) => Promise<AttemptResult>;
  readonly reportFailure: (messageId: string, error: unknown) => void;
};

/**
 * Makes the first attempts, in parallel. An attempt that fails has its next one in the table; only one
 * whose outcome could not be stored is given back to the queue, as is a message that is none of ours.
 *
 * @returns the ids of the messages to be given again.
 */
export async function deliverWebhooks(
  queued: readonly QueuedDelivery[],
  { attempt, reportFailure }: DeliverDependencies,
): Promise<string[]> {
  const failures = await Promise.all(
    queued.map(async ({ messageId, body }) => {
      try {
        await attempt(deliveryReferenceSchema.parse(JSON.parse(body)));
        return [];
      } catch (error) {
        reportFailure(messageId, error);
        return [messageId];
      }
    }),
  );
  return failures.flat();
}
