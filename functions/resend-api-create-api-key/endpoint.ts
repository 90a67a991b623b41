import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleNewApiKey,
  resendApiKeySchema,
  resendApiKeyWords,
  resendNewApiKeySchema,
} from '#shared/resend/api-keys';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint({
  ...managementDeclaration,
  access: { ...managementDeclaration.access, freshSession: true },
  route: 'POST /resend/api-keys',
  body: resendApiKeySchema,
  answers: {
    201: {
      body: resendNewApiKeySchema,
      description: 'The key, with its text.',
      example: exampleNewApiKey,
    },
  },
  errors: ['too_many_api_keys'],
  isLimited: true,
  lambda: { stack: 'Resend', tableActions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'] },
  words: {
    section: 'Resend',
    summary: 'Create an API key, as with Resend',
    description:
      'Does what `POST /api/v1/api-keys` does, with Resend’s two permissions. The key works in both APIs, with and without `re_`.',
    fields: resendApiKeyWords,
    example: {
      body: { name: 'billing', permission: 'sending_access', domain_id: 'news.example.com' },
    },
  },
});
