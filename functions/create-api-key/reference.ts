import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Create an API key',
  description: 'The answer shows the text of the key in `key`, this once.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    id: 'The id of the API key.',
    scopes: 'What the key may do. Empty: the default, to send and to manage templates.',
    status: '`active`, `revoked` or `expired`.',
    validUntil:
      'When it ends by itself, in epoch milliseconds. A request may give ISO 8601 with a time zone instead.',
    key: 'The text of the key. Shown once.',
  },
  example: { body: { name: 'billing', scopes: ['send_email'], perMinuteCap: 60, dailyCap: 5_000 } },
  answers: {
    201: {
      description: 'The key, with its text.',
      example: {
        id: exampleIds.apiKey,
        name: 'billing',
        scopes: ['send_email'],
        perMinuteCap: 60,
        dailyCap: 5_000,
        createdAt: exampleTime,
        updatedAt: exampleTime,
        status: 'active',
        key: exampleIds.apiKeyText,
      },
    },
  },
} as const satisfies EndpointReference;
