import { apiKeyCreated, type NewApiKey, newManagerKey } from '#shared/access/api-key';
import {
  newOrganization,
  type OrganizationManagement,
} from '#shared/access/organization-management';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Organization } from '#shared/organizations/organization';
import type { endpoint } from './endpoint.ts';

export async function createOrganization(
  { body }: Pick<RequestTo<typeof endpoint>, 'body'>,
  { now: readClock, organizations }: OrganizationManagement,
): Promise<{ readonly organization: Organization; readonly firstKey: NewApiKey }> {
  const now = readClock();
  const { organization, created } = newOrganization(body, now);
  const firstKey = newManagerKey(organization.id, now);
  await organizations.create(organization, firstKey.apiKey, [
    created,
    apiKeyCreated(firstKey.apiKey, 'operator'),
  ]);
  return { organization, firstKey };
}
