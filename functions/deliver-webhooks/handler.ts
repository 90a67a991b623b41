import { parseEnvironment } from '#shared/config/environment';
import { deliveryEnvironment } from '#shared/config/webhook-environment';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import type { WebhookId } from '#shared/tokens/resource-id';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { openDelivering } from '#shared/webhooks/delivering';
import type { DeliveryReference } from '#shared/webhooks/delivery';
import type { WebhookStore } from '#shared/webhooks/webhook-store';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { type BatchResponse, sqsEventSchema } from './schema.ts';

const environment = parseEnvironment(deliveryEnvironment);
const delivering = openDelivering(openTable(environment.TABLE_NAME), environment);

/** Reads each webhook once. The attempts of a batch begin together, so one read serves them all. */
function readOnce(webhooks: WebhookStore): WebhookStore {
  const reads = new Map<WebhookId, ReturnType<WebhookStore['get']>>();
  const get = (id: WebhookId) => {
    const read = reads.get(id) ?? webhooks.get(id);
    reads.set(id, read);
    return read;
  };
  return { ...webhooks, get };
}

export async function handler(
  event: unknown,
  context: { awsRequestId: string },
): Promise<BatchResponse> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  const batch = { ...delivering, webhooks: readOnce(delivering.webhooks) };
  const attempt = async (delivery: DeliveryReference) => {
    const result = await attemptDelivery(delivery, 'first', batch);
    log.info('webhook attempted', { deliveryId: delivery.id, result });
    publishCount('WebhookAttempted', { result });
  };
  const reportFailure = (messageId: string, error: unknown) =>
    log.error('webhook attempt not recorded', error, { messageId });
  const { Records } = sqsEventSchema.parse(event);
  const failed = await deliverWebhooks(Records, attempt, reportFailure);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
