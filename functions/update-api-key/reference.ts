import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Change an API key',
  description:
    'Changes the fields that the request has. `null` takes a cap or the end away. It counts at the next request of the key.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    id: 'The id of the API key.',
    scopes: 'What the key may do. Empty: the default, to send and to manage templates.',
    status: '`active`, `revoked` or `expired`.',
    validUntil:
      'When it ends by itself, in epoch milliseconds. A request may give ISO 8601 with a time zone instead.',
    key: 'The text of the key. Shown once.',
  },
  example: { path: { id: exampleIds.apiKey }, body: { perMinuteCap: 60, validUntil: null } },
  answers: {
    200: {
      description: 'The key as it is now.',
      example: {
        id: exampleIds.apiKey,
        name: 'billing',
        scopes: ['send_email'],
        perMinuteCap: 60,
        dailyCap: 5_000,
        createdAt: exampleTime,
        updatedAt: exampleTime,
        status: 'active',
      },
    },
  },
  errors: ['api_key_not_found', 'api_key_revoked', 'last_manager_key', 'concurrent_change'],
} as const satisfies EndpointReference;
