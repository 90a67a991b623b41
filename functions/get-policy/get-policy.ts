import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { policyNotFound } from '#shared/organizations/policy-refusals';
import { type PolicyView, policyViewOf } from '#shared/organizations/policy-view';

/**
 * Reads a policy of the key's organization, or one that comes with the service.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `policy_not_found`
 */
export async function getPolicy(
  credential: string | undefined,
  key: string | undefined,
  {
    organizations,
    ...authentication
  }: Authentication & { organizations: Pick<OrganizationStore, 'get'> },
): Promise<PolicyView> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw invalidApiKey();
  const policy = policyViewOf(organization, key ?? '');
  if (policy === undefined) throw policyNotFound();
  return policy;
}
