import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import type { OrganizationManagement } from '#shared/access/organization-management';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { endpoint } from './endpoint.ts';

/** For an organization that has lost its last key: the new one has every scope. */
export async function createOrganizationApiKey(
  { path: { id } }: Pick<RequestTo<typeof endpoint>, 'path'>,
  { now, organizations }: OrganizationManagement,
): Promise<NewApiKey> {
  const created = newManagerKey(id, now());
  const entry = apiKeyCreated(created.apiKey, 'operator');
  const outcome = await organizations.addApiKey(created.apiKey, entry);
  if (outcome === 'unknown') throw new ServiceError('organization_not_found');
  return created;
}
