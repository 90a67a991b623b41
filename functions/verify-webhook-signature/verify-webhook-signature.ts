import type { AnswerTo, RequestTo } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import type { WebhookId } from '#shared/tokens/resource-id';
import {
  type DeliveryLogStore,
  readDeliveryLog,
} from '#shared/webhook-deliveries/delivery-log-store';
import { explainSignature, type ReceivedMessage } from '#shared/webhooks/explain-signature';
import { type SignatureFault, signatureFaults } from '#shared/webhooks/signature-faults';
import { readSignatureHeaders } from '#shared/webhooks/signature-headers';
import { findWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import type { endpoint } from './endpoint.ts';

type VerifyRequest = RequestTo<typeof endpoint>;

type SignatureVerification = WebhookManagement & { readonly deliveryLogs: DeliveryLogStore };

/** Searches the endpoint's log for the sent body only if the message alone explains nothing. */
export async function verifyWebhookSignature(
  { caller, path: { id }, body }: VerifyRequest,
  verification: SignatureVerification,
): Promise<AnswerTo<typeof endpoint>> {
  const webhook = await findWebhook(id, caller.organizationId, verification.webhooks);
  const headers = body.headers && readSignatureHeaders(body.headers, webhook.format);
  const message = receivedMessageOf(body, headers);
  if (message === undefined) return answer(false, ['header_names']);

  const now = verification.now();
  const alone = explainSignature(message, webhook, undefined, now);
  const isExplained = !alone.faults.some((fault) => fault === 'unknown');
  const { fits, faults } = isExplained
    ? alone
    : explainSignature(message, webhook, await findSentBody(id, message, verification), now);
  return answer(fits, [...(headers?.isMisnamed ? (['header_names'] as const) : []), ...faults]);
}

/**
 * @returns `undefined` if the given headers don't say enough.
 * @throws ServiceError `validation_failed` unless either headers or all fields are given.
 */
function receivedMessageOf(
  body: VerifyRequest['body'],
  headers: ReturnType<typeof readSignatureHeaders> | undefined,
): ReceivedMessage | undefined {
  const { payload } = body;
  const webhookId = body.webhookId ?? headers?.webhookId;
  const timestamp = body.timestamp ?? headers?.timestamp;
  const signature = body.signature ?? headers?.signature;
  if (webhookId !== undefined && timestamp !== undefined && signature !== undefined) {
    return { payload, webhookId, timestamp, signature };
  }
  if (headers !== undefined) return undefined;
  const missing = Object.entries({ webhookId, timestamp, signature }).find(([, value]) => !value);
  throw invalidField(missing?.[0] ?? 'headers', 'must be given, here or in headers');
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

const answer = (fits: boolean, faults: readonly SignatureFault[]) => ({
  fits,
  causes: faults.map((code) => ({ code, explanation: signatureFaults[code] })),
});
