import { organizationOf } from '#shared/access/admit-caller';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { examplePolicy, policyWords } from '#shared/organizations/policy-reference';
import { policyViewSchema, policyViewsOf } from '#shared/organizations/policy-view';
import { pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/policies',
    access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
    answers: {
      200: {
        body: pageSchema(policyViewSchema),
        description: 'The policies.',
        example: {
          data: [examplePolicy],
          nextCursor: null,
        },
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem'] },
    words: {
      section: 'Organization',
      summary: 'List policies',
      description: 'All of them on one page, the organization’s own first.',
      fields: policyWords,
    },
  },
  async ({ caller }, { table }) => ({
    data: policyViewsOf(await organizationOf(table, caller)),
    nextCursor: null,
  }),
);
