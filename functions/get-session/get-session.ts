import { endedSession, parseApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateKey } from '#shared/access/authenticate';
import { confirmedUntil, findSignIn } from '#shared/access/sign-in';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Tells a browser who is signed in.
 *
 * @throws ServiceError `invalid_api_key`
 */
export async function getSession(
  credential: string | undefined,
  {
    organizations,
    ...authentication
  }: Authentication & { organizations: Pick<OrganizationStore, 'get'> },
) {
  if (credential === undefined) throw endedSession();
  const { isSession, secretHash } = parseApiKey(credential);
  if (!isSession) throw endedSession();
  const apiKey = await authenticateKey(credential, authentication);
  const presented = { kind: 'session', secretHash } as const;
  const session = findSignIn(apiKey.signIns, presented, authentication.now());
  const organization = await organizations.get(organizationIdOf(apiKey.id));
  if (session === undefined || organization === undefined) throw endedSession();
  const { id, name } = organization;
  const { expiresAt } = session;
  return {
    organization: { id, name },
    keyId: apiKey.id,
    expiresAt,
    confirmedUntil: confirmedUntil(session),
  };
}
