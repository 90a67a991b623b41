import { defineEndpoint } from '#shared/endpoints/endpoint';
import { policyViewSchema } from '#shared/organizations/policy-view';
import { pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/policies',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    200: {
      body: pageSchema(policyViewSchema),
      description: 'The policies.',
      example: {
        data: [{ kind: 'bulk', categoryKey: 'offers', key: 'offers', builtIn: false }],
        nextCursor: null,
      },
    },
  },
  lambda: { stack: 'Account', tableActions: ['GetItem'] },
  words: {
    section: 'Organization',
    summary: 'List policies',
    description: 'All of them on one page, the organization’s own first.',
    fields: { key: 'The `policyKey` that a send names.' },
  },
});
