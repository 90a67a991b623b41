import { endedSession } from '#shared/access/api-key';
import { confirmedUntil } from '#shared/access/sign-in';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { endpoint } from './endpoint.ts';

export async function getSession(
  { caller: { organizationId, apiKey, session } }: RequestTo<typeof endpoint>,
  {
    organizations,
    region,
  }: { readonly organizations: Pick<OrganizationStore, 'get'>; readonly region: string },
) {
  const organization = await organizations.get(organizationId);
  if (organization === undefined) throw endedSession();
  const { id, name } = organization;
  return {
    organization: { id, name },
    keyId: apiKey.id,
    region,
    expiresAt: session.expiresAt,
    confirmedUntil: confirmedUntil(session),
  };
}
