import { maySignIn } from '#shared/access/api-key';
import type { Authentication } from '#shared/access/authenticate';
import { linkNotFound } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { findSignIn } from '#shared/access/sign-in';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { organizationIdOf } from '#shared/tokens/resource-id';

/**
 * Names the organization that a sign-in link leads to, so that nobody signs in to a stranger's console unawares. The
 * link stays unused.
 *
 * @throws ServiceError `link_not_found`
 */
export async function getSignInLink(
  link: string,
  {
    now,
    apiKeys,
    organizations,
  }: Pick<Authentication, 'now' | 'apiKeys'> & {
    readonly organizations: Pick<OrganizationStore, 'get'>;
  },
) {
  const presented = readCredential(link);
  if (presented?.kind !== 'link') throw linkNotFound();
  const { kind, id, secretHash } = presented;
  const [found, organization] = await Promise.all([
    apiKeys.get(id),
    organizations.get(organizationIdOf(id)),
  ]);
  const at = now();
  const signIn = findSignIn(found?.apiKey.signIns, { kind, secretHash }, at);
  if (found === undefined || organization === undefined || signIn === undefined)
    throw linkNotFound();
  if (!maySignIn(found.apiKey, at)) throw linkNotFound();
  const { name } = organization;
  return { organization: { id: organization.id, name }, expiresAt: signIn.expiresAt };
}
