import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { webhookIdSchema } from '#shared/tokens/resource-id';
import { signatureFaultSchema, signatureFaults } from '#shared/webhooks/signature-faults';

/** Every guess signs it anew, and messages are a few kilobytes. */
const maxPayloadLength = 100_000;

const shortText = z.string().check(z.minLength(1), z.maxLength(2_000));

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/webhooks/{id}/verify',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ id: webhookIdSchema }),
  unmatchedPath: 'webhook_not_found',
  body: z.strictObject({
    /** What the receiver takes for the body of the request. */
    payload: z.string().check(z.maxLength(maxPayloadLength)),
    headers: z.exactOptional(
      z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(8_000))),
    ),
    /** The header `webhook-id`. */
    webhookId: z.exactOptional(shortText),
    /** The header `webhook-timestamp`. A number counts as its digits. */
    timestamp: z.exactOptional(z.union([shortText, z.pipe(z.int(), z.transform(String))])),
    /** The header `webhook-signature`, or what the receiver computed. */
    signature: z.exactOptional(shortText),
  }),
  answers: {
    200: {
      body: z.object({
        /** Whether the signature is right for this message as it is. */
        fits: z.boolean(),
        /** What is wrong, and what to do. Empty when a receiver should accept the message. */
        causes: z.array(z.object({ code: signatureFaultSchema, explanation: z.string() })),
      }),
      description: 'Whether it fits, and why not.',
      example: {
        fits: false,
        causes: [{ code: 'body_reprinted', explanation: signatureFaults.body_reprinted }],
      },
    },
  },
  errors: ['webhook_not_found'],
  lambda: {
    stack: 'Webhooks',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Webhooks',
    summary: 'Tell why a signature does not fit',
    description:
      'Takes a message as your receiver has it, and says what is wrong with it and what to do: a body that was parsed and written again, the secret of another endpoint, an old timestamp. Give `headers`, or the three fields that stand in them; a field counts before a header.',
    fields: {
      payload: 'What the receiver takes for the body of the request.',
      headers: 'The headers of the request as it came.',
      webhookId: 'The header `webhook-id`.',
      timestamp: 'The header `webhook-timestamp`.',
      signature: 'The header `webhook-signature`, or what the receiver computed.',
      fits: 'Whether the signature is right for this message as it is.',
      causes: 'What is wrong. Empty when a receiver should accept the message.',
      code: 'For programs.',
      explanation: 'What is wrong, and what to do.',
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

export type VerifySignatureRequest = z.infer<typeof endpoint.body>;
export type VerifySignatureResponse = z.infer<(typeof endpoint.answers)[200]['body']>;
