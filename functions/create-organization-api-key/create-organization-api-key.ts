import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import {
  exampleFirstKey,
  newApiKeyViewSchema,
  toNewApiKeyView,
} from '#shared/access/api-key-fields';
import { storeApiKeyOfExisting } from '#shared/access/api-key-store';
import { defineEndpoint, type Operator, type RequestTo } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds } from '#shared/tokens/example-values';

const declaration = defineEndpoint({
  route: 'POST /api/v1/organizations/{id}/api-keys',
  access: 'operator',
  ...organizationPath,
  answers: {
    201: {
      body: newApiKeyViewSchema,
      description: 'The key, with its text.',
      example: exampleFirstKey,
    },
  },
  lambda: { stack: 'Organizations', tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem'] },
  words: {
    section: 'Operator',
    summary: 'Create an API key for an organization',
    description:
      'For an organization that lost its last key. The key may do everything. Only this answer shows it.',
    fields: { id: 'The organization; in the answer, the API key.' },
    example: { path: { id: exampleIds.organization } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, service) =>
  toNewApiKeyView(await createOrganizationApiKey(request, service)),
);

/** For an organization that has lost its last key: the new one may do everything. */
export async function createOrganizationApiKey(
  {
    caller: { actor },
    path: { id },
  }: Pick<RequestTo<typeof declaration>, 'path'> & { readonly caller: Pick<Operator, 'actor'> },
  { table, now }: TableAndClock,
): Promise<NewApiKey> {
  const created = newManagerKey(id, now());
  const entry = apiKeyCreated(created.apiKey, actor);
  const outcome = await storeApiKeyOfExisting(table, created.apiKey, entry);
  if (outcome === 'unknown') throw new ServiceError('organization_not_found');
  return created;
}
