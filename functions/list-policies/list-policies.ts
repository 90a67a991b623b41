import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { policyKeysOf } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { type PolicyView, policyViewOf } from '#shared/organizations/policy-view';

/**
 * Lists all policies that a send of the key's organization may name.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function listPolicies(
  credential: string | undefined,
  {
    organizations,
    ...authentication
  }: Authentication & { organizations: Pick<OrganizationStore, 'get'> },
): Promise<PolicyView[]> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw invalidApiKey();
  return policyKeysOf(organization).flatMap((key) => policyViewOf(organization, key) ?? []);
}
