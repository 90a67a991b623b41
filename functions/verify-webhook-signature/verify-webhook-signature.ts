import { authenticateManager } from '#shared/access/authenticate';
import { readDeliveryLog } from '#shared/deliveries/delivery-log';
import type { DeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { invalidField } from '#shared/errors/service-error';
import type { WebhookId } from '#shared/tokens/resource-id';
import { explainSignature, type ReceivedMessage } from '#shared/webhooks/explain-signature';
import { findWebhook } from '#shared/webhooks/find-webhook';
import { type SignatureFault, signatureFaults } from '#shared/webhooks/signature-faults';
import { readSignatureHeaders } from '#shared/webhooks/signature-headers';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import type { VerifySignatureRequest, VerifySignatureResponse } from './endpoint.ts';

export type SignatureVerification = WebhookManagement & { readonly deliveryLogs: DeliveryLogStore };

/**
 * Tells why the signature of a message does not fit, as a receiver has them. The log of the endpoint is asked
 * for the body that was sent only when the message alone explains nothing: 500 deliveries at most.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`
 */
export async function verifyWebhookSignature(
  credential: string | undefined,
  id: WebhookId | undefined,
  parse: () => VerifySignatureRequest,
  verification: SignatureVerification,
): Promise<VerifySignatureResponse> {
  const { organizationId } = await authenticateManager(credential, verification);
  const request = parse();
  const headers = request.headers && readSignatureHeaders(request.headers);
  const message = receivedMessageOf(request, headers);
  const webhook = await findWebhook(id, organizationId, verification.webhooks);
  if (message === undefined) return answer(false, ['header_names']);

  const now = verification.now();
  const alone = explainSignature(message, webhook, undefined, now);
  const isExplained = !alone.faults.some((fault) => fault === 'unknown');
  const { fits, faults } = isExplained
    ? alone
    : explainSignature(
        message,
        webhook,
        await findSentBody(webhook.id, message, verification),
        now,
      );
  return answer(fits, [...(headers?.isMisnamed ? (['header_names'] as const) : []), ...faults]);
}

/**
 * @returns `undefined` when the headers are there and say too little.
 * @throws ServiceError `validation_failed` when there are no headers, and a field is missing.
 */
function receivedMessageOf(
  request: VerifySignatureRequest,
  headers: ReturnType<typeof readSignatureHeaders> | undefined,
): ReceivedMessage | undefined {
  const { payload } = request;
  const webhookId = request.webhookId ?? headers?.webhookId;
  const timestamp = request.timestamp ?? headers?.timestamp;
  const signature = request.signature ?? headers?.signature;
  if (webhookId !== undefined && timestamp !== undefined && signature !== undefined) {
    return { payload, webhookId, timestamp, signature };
  }
  if (headers !== undefined) return undefined;
  const missing = Object.entries({ webhookId, timestamp, signature }).find(([, value]) => !value);
  throw invalidField(missing?.[0] ?? 'headers', 'must be given, or stand in headers');
}

async function findSentBody(
  webhookId: WebhookId,
  message: ReceivedMessage,
  verification: SignatureVerification,
): Promise<string | undefined> {
  const { deliveries } = await readDeliveryLog(
    { webhookId, limit: 1, matches: ({ messageId }) => messageId === message.webhookId },
    verification,
  );
  return deliveries[0]?.body;
}

const answer = (fits: boolean, faults: readonly SignatureFault[]): VerifySignatureResponse => ({
  fits,
  causes: faults.map((code) => ({ code, explanation: signatureFaults[code] })),
});
