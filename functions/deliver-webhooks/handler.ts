import { deliveryEnvironment, parseEnvironment } from '#shared/config/environment';
import { publishCount } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { createAttemptDependencies } from '#shared/webhooks/attempt-dependencies';
import { deliverWebhooks } from './deliver-webhooks.ts';
import { type BatchResponse, sqsEventSchema } from './schema.ts';

const environment = parseEnvironment(deliveryEnvironment);
const dependencies = createAttemptDependencies(openTable(environment.TABLE_NAME), environment);

export async function handler(
  event: unknown,
  context: { awsRequestId: string },
): Promise<BatchResponse> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  const failed = await deliverWebhooks(sqsEventSchema.parse(event).Records, {
    attempt: async (deliveryId) => {
      const result = await attemptDelivery(deliveryId, 'first', dependencies);
      log.info('webhook attempted', { deliveryId, result });
      publishCount('WebhookAttempted', { result });
      return result;
    },
    reportFailure: (messageId, error) =>
      log.error('webhook attempt not recorded', error, { messageId }),
  });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
