import { type DeliveryReference, deliveryReferenceSchema } from '#shared/deliveries/delivery';

export type QueuedDelivery = { readonly messageId: string; readonly body: string };

/**
 * Makes the first attempts in parallel. When an attempt fails, the table holds the time of the next one.
 * A message goes back to the queue only when `attempt` throws, because its outcome could not be stored, or
 * when the message names no delivery.
 *
 * @returns the ids of the messages that go back to the queue.
 */
export async function deliverWebhooks(
  queued: readonly QueuedDelivery[],
  attempt: (delivery: DeliveryReference) => Promise<unknown>,
  reportFailure: (messageId: string, error: unknown) => void,
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
