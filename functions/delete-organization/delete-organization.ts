import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { deleteOrganization } from '#shared/identity/deleted-owner';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/organizations/{id}',
    access: 'operator_secret',
    ...organizationPath,
    query: z.strictObject({ name: z.string() }),
    answers: { 204: { description: 'The organization is deleted.' } },
    errors: ['validation_failed', 'concurrent_change'],
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
    },
    words: {
      section: 'Operator',
      summary: 'Delete an organization',
      description:
        'The name confirms that this is the organization to delete. From the next request on, its keys are refused, its links show nothing and its sends can’t be read. Its data expires with the retention. Safe to repeat.',
      fields: { name: 'The name of the organization.' },
      example: { path: { id: exampleIds.organization }, query: { name: 'Example Ltd' } },
    },
  },
  deleteOrganization,
);
