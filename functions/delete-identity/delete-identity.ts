import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { admitIdentityChange, changedMeanwhile } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import { tryRemoveDomains } from '#shared/identity/remove-domains';
import { noIdentityOf, withoutWanted } from '#shared/identity/unwanted-identity';
import type { endpoint } from './endpoint.ts';

/**
 * Deletes the organization's identity. Its sends are refused from the first effect on; then the domain leaves SES, and
 * then others may have it. The schedule completes what SES doesn't do now.
 */
export async function deleteIdentity(
  {
    caller: { organizationId, actor },
    log,
  }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<undefined> {
  const { identity: before, organization } = await management.identities.read(organizationId);
  const sending = organization?.identity;
  const domain = before?.wanted?.domain ?? sending?.domain;
  if (domain === undefined) throw new ServiceError('identity_not_found');
  await admitIdentityChange(organizationId, management);

  const now = management.now();
  const after = withoutWanted(before ?? noIdentityOf(organizationId), sending, now);
  const change = { action: 'identity.deleted', target: domain, before: { domain } };
  const audit = newAuditEntry(organizationId, actor, change, now);
  const outcome = await management.identities.storeChange(
    { before, after },
    { identity: sending === undefined ? undefined : null },
    { audit },
  );
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();

  await tryRemoveDomains(after, management, log);
}
