import * as z from 'zod/mini';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { cut } from '#shared/errors/bounded';
import { invalidField } from '#shared/errors/service-error';
import type { Table } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import type { WebhookId } from '#shared/tokens/resource-id';
import { readDeliveryLog } from '#shared/webhook-deliveries/delivery-log-store';
import { explainSignature, type ReceivedMessage } from '#shared/webhooks/explain-signature';
import {
  type SignatureFault,
  signatureFaultSchema,
  signatureFaults,
} from '#shared/webhooks/signature-faults';
import { readSignatureHeaders } from '#shared/webhooks/signature-headers';
import { findWebhook } from '#shared/webhooks/webhook-management';

/** Each guess signs the payload again. Messages are a few kilobytes. */
const maxPayloadLength = 100_000;

const maxHeaders = 200;

const shortText = z.string().check(z.minLength(1), z.maxLength(2_000));

type VerifyRequest = RequestTo<typeof declaration>;

const declaration = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/verify',
  access: { key: 'required', scope: ['webhooks_manage', 'manage_organization'] },
  ...webhookPath,
  body: z.strictObject({
    payload: z.string().check(z.maxLength(maxPayloadLength)),
    headers: z.exactOptional(
      cut(
        maxHeaders,
        z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(8_000))).check(
          z.refine((headers) => Object.keys(headers).length <= maxHeaders, {
            error: `must have at most ${maxHeaders} headers`,
          }),
        ),
      ),
    ),
    webhookId: z.exactOptional(shortText),
    /** A number is taken as its digits. */
    timestamp: z.exactOptional(z.union([shortText, z.pipe(z.int(), z.transform(String))])),
    signature: z.exactOptional(shortText),
  }),
  answers: {
    200: {
      body: z.object({
        fits: z.boolean(),
        causes: z.array(z.object({ code: signatureFaultSchema, explanation: z.string() })),
      }),
      description: 'Whether the signature matches, and if not, why.',
      example: {
        fits: false,
        causes: [{ code: 'body_reprinted', explanation: signatureFaults.body_reprinted }],
      },
    },
  },
  lambda: {
    stack: 'Webhooks',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Webhooks',
    summary: 'Explain why a signature does not match',
    description:
      'Post a message as your receiver sees it, and learn what is wrong and how to fix it: a body that was parsed and serialized again, the secret of another endpoint, an old timestamp. Give `headers`, or the three fields they would hold. A field takes precedence over a header.',
    fields: {
      payload: 'The body of the request, as your receiver sees it.',
      headers: 'The headers of the request, as received.',
      webhookId: 'The header `webhook-id`.',
      timestamp: 'The header `webhook-timestamp`.',
      signature: 'The header `webhook-signature`, or what your receiver computed.',
      fits: 'Whether the signature is right for exactly this message.',
      causes: 'What is wrong. Empty if a receiver should accept the message.',
      code: 'For programs.',
      explanation: 'What is wrong, and how to fix it.',
    },
    example: {
      path: { id: exampleIds.webhook },
      body: {
        payload: '{ "type": "webhook.test" }',
        webhookId: exampleIds.webhookMessage,
        timestamp: `${exampleTime / 1_000}`,
        signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
    },
  },
});

export const endpoint = defineEndpoint(
  declaration,
  // Searches the endpoint's log for the sent body only if the message alone explains nothing.
  async ({ caller, path: { id }, body }: VerifyRequest, { table, now: readClock }) => {
    const webhook = await findWebhook(table, id, caller.organizationId);
    const headers = body.headers && readSignatureHeaders(body.headers, webhook.format);
    const message = receivedMessageOf(body, headers);
    if (message === undefined) return answer(false, ['header_names']);

    const now = readClock();
    const alone = explainSignature(message, webhook, undefined, now);
    const isExplained = !alone.faults.some((fault) => fault === 'unknown');
    const { fits, faults } = isExplained
      ? alone
      : explainSignature(message, webhook, await findSentBody(table, id, message, now), now);
    return answer(fits, [...(headers?.isMisnamed ? (['header_names'] as const) : []), ...faults]);
  },
);

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
  throw invalidField(missing?.[0] ?? 'headers', 'is required, here or in headers');
}

async function findSentBody(
  table: Table,
  webhookId: WebhookId,
  message: ReceivedMessage,
  now: number,
): Promise<string | undefined> {
  const { deliveries } = await readDeliveryLog(
    table,
    { webhookId, limit: 1, matches: ({ messageId }) => messageId === message.webhookId },
    now,
  );
  return deliveries[0]?.body;
}

const answer = (fits: boolean, faults: readonly SignatureFault[]) => ({
  fits,
  causes: faults.map((code) => ({ code, explanation: signatureFaults[code] })),
});
