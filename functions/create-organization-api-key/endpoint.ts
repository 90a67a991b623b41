import { exampleFirstKey, newApiKeyViewSchema } from '#shared/access/api-key-fields';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/organizations/{id}/api-keys',
  access: 'operator_secret',
  ...organizationPath,
  answers: {
    201: {
      body: newApiKeyViewSchema,
      description: 'The key, with its text.',
      example: exampleFirstKey,
    },
  },
  lambda: { stack: 'Organizations', tableActions: ['ConditionCheckItem', 'PutItem'] },
  words: {
    section: 'Operator',
    summary: 'Create an API key for an organization',
    description:
      'For an organization that lost its last key. The key has every scope. Only this answer shows it.',
    fields: { id: 'The organization; in the answer, the API key.' },
    example: { path: { id: exampleIds.organization } },
  },
});
