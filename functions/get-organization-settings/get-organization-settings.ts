import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import type { Organization } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';

export type SettingsReading = Authentication & {
  readonly organizations: Pick<OrganizationStore, 'get'>;
};

/**
 * Reads the organization of the key, with its settings.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`
 */
export async function getOrganizationSettings(
  credential: string | undefined,
  { organizations, ...authentication }: SettingsReading,
): Promise<Organization> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw invalidApiKey();
  return organization;
}
