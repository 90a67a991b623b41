import * as z from 'zod/mini';
import {
  apiKeyFieldWords,
  apiKeyWithTextSchema,
  exampleApiKey,
} from '#shared/access/api-key-fields';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { apiKeyPath } from '#shared/endpoints/resource-paths';
import {
  defaultOverlapHours,
  maxOverlapHours,
  overlapHours,
} from '#shared/timing/rotation-overlap';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/api-keys/{id}/rotate',
  access: { key: 'required', scope: 'manage_organization', freshSession: true },
  ...apiKeyPath,
  body: z.strictObject({ overlapHours }),
  isBodyOptional: true,
  answers: {
    201: {
      body: apiKeyWithTextSchema,
      description: 'The successor, with its text.',
      example: { ...exampleApiKey, key: exampleIds.apiKeyText },
    },
  },
  errors: ['api_key_revoked', 'api_key_rotated', 'too_many_api_keys', 'concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query', 'PutItem', 'UpdateItem'] },
  words: {
    section: 'API keys',
    summary: 'Rotate an API key',
    description:
      'Creates a successor with the same name, scopes, caps and lifetime. The old key stays valid until the overlap ends. A key has one successor: if the answer with the new key was lost, rotate the successor. The body is optional.',
    fields: {
      ...apiKeyFieldWords,
      overlapHours: `How long the old key stays valid: ${defaultOverlapHours} hours by default, at most ${maxOverlapHours}. With 0 it ends at once.`,
      id: 'The key to rotate; in the answer, its successor.',
    },
    example: { path: { id: exampleIds.apiKey }, body: { overlapHours: 24 } },
  },
});
