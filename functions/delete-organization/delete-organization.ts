import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/organizations/{id}',
    access: 'operator',
    ...organizationPath,
    query: z.strictObject({ name: z.string() }),
    answers: { 204: { description: 'The organization is deleted.' } },
    errors: ['validation_failed', 'concurrent_change'],
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
    },
    words: {
      section: 'Operator',
      summary: 'Delete an organization',
      description:
        'The name confirms that this is the organization to delete. From the next request on, its keys are refused, its links show nothing and its sends can’t be read. Its keys, templates, contacts and email contents are removed, beginning an hour or two later; its sends, events and audit entries expire as usual. Safe to repeat.',
      fields: { name: 'The name of the organization.' },
      example: { path: { id: exampleIds.organization }, query: { name: 'Example Ltd' } },
    },
  },
  deleteOrganization,
);
