import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { admitIdentityChange } from '#shared/identity/identity-change-limit';
import { changedMeanwhile, identityNotFound } from '#shared/identity/identity-faults';
import type { IdentityManagement } from '#shared/identity/identity-management';
import { tryRemoveDomains } from '#shared/identity/remove-domains';
import { noIdentityOf, withoutWanted } from '#shared/identity/unwanted-identity';
import type { RequestLog } from '#shared/observability/request-log';

/**
 * Takes the organization's identity away. Its sends are refused from the first effect on; then the domain is
 * taken out of SES, and then others may have it. What SES does not do now, the schedule makes it do.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `identity_not_found`, `rate_limited`,
 *   `concurrent_change`
 */
export async function deleteIdentity(
  credential: string | undefined,
  management: IdentityManagement,
  log: RequestLog,
): Promise<void> {
  const { organizationId, actor } = await authenticateManager(credential, management);
  const { identity: before, organization } = await management.identities.read(organizationId);
  const sending = organization?.identity;
  const domain = before?.wanted?.domain ?? sending?.domain;
  if (domain === undefined) throw identityNotFound();
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
