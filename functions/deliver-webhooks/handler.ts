import { deliveryEnvironment, parseEnvironment } from '#shared/config/environment';
import { attemptDelivery } from '#shared/deliveries/attempt-delivery';
import { openDelivering } from '#shared/deliveries/delivering';
import type { DeliveryReference } from '#shared/deliveries/delivery';
import { withSharedReads } from '#shared/deliveries/shared-reads';
import { countOf } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { type BatchResponse, sqsEventSchema } from './schema.ts';

const environment = parseEnvironment(deliveryEnvironment);
const delivering = openDelivering(openTable(environment.TABLE_NAME), environment);

export async function handler(
  event: unknown,
  context: { awsRequestId: string },
): Promise<BatchResponse> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  // The attempts of a batch begin together, so one read of a webhook serves them all.
  const webhooks = withSharedReads(delivering.webhooks, Number.POSITIVE_INFINITY, delivering.now);
  const batch = { ...delivering, webhooks };
  const attempt = async (delivery: DeliveryReference) => {
    const result = await attemptDelivery(delivery, 'first', batch);
    const counted = countOf('WebhookAttempted', { result });
    log.info('webhook attempted', { deliveryId: delivery.id }, [counted]);
  };
  const reportFailure = (messageId: string, error: unknown) =>
    log.error('webhook attempt not recorded', error, { messageId });
  const { Records } = sqsEventSchema.parse(event);
  const failed = await deliverWebhooks(Records, attempt, reportFailure);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
