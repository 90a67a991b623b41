import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { webhookPath } from '#shared/endpoints/resource-paths';
import { cut } from '#shared/errors/bounded';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { signatureFaultSchema, signatureFaults } from '#shared/webhooks/signature-faults';

/** Each guess signs the payload again. Messages are a few kilobytes. */
const maxPayloadLength = 100_000;

const mostHeaders = 200;
const shortText = z.string().check(z.minLength(1), z.maxLength(2_000));

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/verify',
  access: { key: 'required', scope: 'manage_organization' },
  ...webhookPath,
  body: z.strictObject({
    payload: z.string().check(z.maxLength(maxPayloadLength)),
    headers: z.exactOptional(
      cut(
        mostHeaders,
        z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(8_000))).check(
          z.refine((headers) => Object.keys(headers).length <= mostHeaders, {
            error: `must have at most ${mostHeaders} headers`,
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
