import { createApiKey } from '#shared/access/manage-api-keys';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { getBothIdentities } from '#shared/identity/identity-store';
import { wantingOf } from '#shared/identity/set-domain';
import {
  exampleNewApiKey,
  resendApiKeySchema,
  resendApiKeyWords,
  resendNewApiKeySchema,
  toApiKeySettings,
  tokenOf,
} from '#shared/resend/api-keys';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
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
  },
  async ({ caller, body }, creating) => {
    const settings = toApiKeySettings(body);
    if (body.domain_id != null) {
      const both = await getBothIdentities(creating.table, caller.organizationId, body.domain_id);
      // A key for a domain that doesn't exist could send nothing.
      if (wantingOf(both, body.domain_id) === undefined) {
        throw invalidField('domain_id', 'must be the id of one of your domains');
      }
    }
    const { text, apiKey } = await createApiKey({ caller, body: settings }, creating);
    return { id: apiKey.id, token: tokenOf(text) };
  },
);
