import * as z from 'zod/mini';
import {
  apiKeyFields,
  apiKeyFieldWords,
  apiKeyWithTextSchema,
  exampleApiKey,
  scopesInWords,
  toApiKeyWithText,
} from '#shared/access/api-key-fields';
import { createApiKey } from '#shared/access/manage-api-keys';
import { testScopes } from '#shared/access/scopes';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/api-keys',
    access: {
      key: 'required',
      scope: ['sending_keys_manage', 'manage_organization'],
      freshSession: true,
    },
    body: z.strictObject({
      name: apiKeyFields.name,
      test: z.exactOptional(z.boolean()),
      scopes: z._default(apiKeyFields.scopes, []),
      allowedFrom: z.exactOptional(apiKeyFields.allowedFrom),
      perMinuteCap: z.exactOptional(apiKeyFields.perMinuteCap),
      dailyCap: z.exactOptional(apiKeyFields.dailyCap),
      validUntil: z.exactOptional(apiKeyFields.validUntil),
    }),
    answers: {
      201: {
        body: apiKeyWithTextSchema,
        description: 'The key, with its text.',
        example: { ...exampleApiKey, key: exampleIds.apiKeyText },
      },
    },
    errors: ['too_many_api_keys'],
    isLimited: true,
    lambda: { stack: 'Account', tableActions: ['GetItem', 'Query', 'PutItem'] },
    words: {
      section: 'API keys',
      summary: 'Create an API key',
      description: `The answer has the text of the key in \`key\`. It is never shown again.

A test key (\`test: true\`, \`esk_test_…\`) sends nothing: its emails are processed like real ones, but the service acts as SES’s mailbox simulator. Its scopes can be ${testScopes.map((scope) => `\`${scope}\``).join(' and ')} only.

${scopesInWords}`,
      fields: apiKeyFieldWords,
      example: {
        body: { name: 'billing', scopes: ['send_email'], perMinuteCap: 60, dailyCap: 5_000 },
      },
    },
  },
  async (request, capability) =>
    toApiKeyWithText(await createApiKey(request, capability), capability.now()),
);
