import type { Authentication } from '#shared/access/admit-caller';
import { isManager } from '#shared/access/api-key';
import { linkNotFound } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { findSignIn } from '#shared/access/sign-in';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type LinkReading = Authentication & { readonly organizations: Pick<OrganizationStore, 'get'> };

/** Names the link's organization before anyone signs in: it may be a stranger's. Doesn't use up the link. */
export async function getSignInLink(
  { body: { link } }: Pick<RequestTo<typeof endpoint>, 'body'>,
  { now, apiKeys, organizations }: LinkReading,
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
  if (!found || !organization || !signIn) throw linkNotFound();
  if (!isManager(found.apiKey, at)) throw linkNotFound();
  const { name } = organization;
  return { organization: { id: organization.id, name }, expiresAt: signIn.expiresAt };
}
