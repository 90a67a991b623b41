import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';
import { signatureFaults } from '#shared/webhooks/signature-faults';

export const reference = {
  section: 'Webhooks',
  summary: 'Tell why a signature does not fit',
  description:
    'Takes a message as your receiver has it, and says what is wrong with it and what to do: a body that was parsed and written again, the secret of another endpoint, an old timestamp. Give `headers`, or the three fields that stand in them; a field counts before a header.',
  access: { key: 'required', scope: 'manage_organization' },
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
  answers: {
    200: {
      description: 'Whether it fits, and why not.',
      example: {
        fits: false,
        causes: [{ code: 'body_reprinted', explanation: signatureFaults.body_reprinted }],
      },
    },
  },
  errors: ['webhook_not_found'],
} as const satisfies EndpointReference;
