import { parseEnvironment } from '#shared/config/environment';
import { deliveryEnvironment } from '#shared/config/webhook-environment';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import type { WebhookId } from '#shared/tokens/resource-id';
import { type AttemptDependencies, attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { createAttemptDependencies } from '#shared/webhooks/attempt-dependencies';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { type BatchResponse, sqsEventSchema } from './schema.ts';

/** Reads each endpoint once, however many ask for it. */
function oncePerId(getWebhook: AttemptDependencies['getWebhook']): typeof getWebhook {
  const reads = new Map<WebhookId, ReturnType<typeof getWebhook>>();
  return (id) => {
    const read = reads.get(id) ?? getWebhook(id);
    reads.set(id, read);
    return read;
  };
}

const environment = parseEnvironment(deliveryEnvironment);
const dependencies = createAttemptDependencies(openTable(environment.TABLE_NAME), environment);

export async function handler(
  event: unknown,
  context: { awsRequestId: string },
): Promise<BatchResponse> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  // The attempts of a batch begin together: one look at an endpoint serves them all.
  const getWebhook = oncePerId(dependencies.getWebhook);
  const failed = await deliverWebhooks(sqsEventSchema.parse(event).Records, {
    attempt: async (delivery) => {
      const result = await attemptDelivery(delivery, 'first', { ...dependencies, getWebhook });
      log.info('webhook attempted', { deliveryId: delivery.id, result });
      publishCount('WebhookAttempted', { result });
      return result;
    },
    reportFailure: (messageId, error) =>
      log.error('webhook attempt not recorded', error, { messageId }),
  });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
