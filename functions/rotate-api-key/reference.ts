import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'API keys',
  summary: 'Rotate an API key',
  description:
    'Makes a successor with the name, the scopes, the caps and the lifetime of the key. The key is valid until the overlap ends. A key has one successor: if the answer with its text was lost, rotate the successor. The body may be left out.',
  access: { key: 'required', scope: 'manage_organization' },
  isBodyOptional: true,
  fields: {
    overlapHours: 'How long the key is still valid beside its successor. With 0 it ends at once.',
    id: 'The key to rotate; in the answer, its successor.',
    scopes: 'What the key may do. Empty: the default, to send and to manage templates.',
    status: '`active`, `revoked` or `expired`.',
    validUntil:
      'When it ends by itself, in epoch milliseconds. A request may give ISO 8601 with a time zone instead.',
    key: 'The text of the key. Shown once.',
  },
  example: { path: { id: exampleIds.apiKey }, body: { overlapHours: 24 } },
  answers: {
    201: {
      description: 'The successor, with its text.',
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
  errors: ['api_key_not_found', 'api_key_revoked', 'api_key_rotated', 'concurrent_change'],
} as const satisfies EndpointReference;
