import { newAuditEntry } from '#shared/audit/audit-entry';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { ensureDomain, ofSomebodyElse } from '#shared/identity/ensure-domain';
import {
  type Identity,
  sendingAfter,
  type WantedIdentity,
  withWanted,
} from '#shared/identity/identity';
import { changedMeanwhile, type IdentityManagement } from '#shared/identity/identity-management';
import type { IdentityContext } from '#shared/identity/identity-store';
import { type IdentityView, viewIdentity } from '#shared/identity/identity-view';
import { tryRemoveDomains } from '#shared/identity/remove-domains';
import { hasStopped, verdictOf } from '#shared/identity/ses-domain';
import {
  settleIdentity,
  type WantingContext,
  wantsIdentity,
} from '#shared/identity/settle-identity';
import type { RequestLog } from '#shared/observability/request-log';
import { authenticateManager, type Manager } from '#shared/organizations/authenticate-manager';
import type { SetIdentityRequest } from './schema.ts';

/**
 * Sets the domain that the organization sends from.
 *
 * Order of effects: store the domain as pending and claim it, make SES have it, store what SES says. If the
 * process dies in between, the schedule goes on from there, and so does a repetition of the request.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `domain_taken`,
 *   `concurrent_change`, `identity_rejected`
 */
export async function setIdentity(
  credential: string | undefined,
  parse: () => SetIdentityRequest,
  management: IdentityManagement,
  log: RequestLog,
): Promise<IdentityView> {
  const manager = await authenticateManager(credential, management);
  const { mailFromLabel, ...request } = parse();
  const wanted = { ...request, mailFromDomain: `${mailFromLabel}.${request.domain}` };
  const { ses, dns } = management;
  const [standing, context, account] = await Promise.all([
    ses.get(wanted.domain),
    management.identities.read(manager.organizationId),
    ses.getAccount(),
    refuseTakenLabel(wanted.mailFromDomain, dns),
  ]);
  if (standing !== undefined && standing.ownerId !== manager.organizationId) {
    throw domainTaken(ofSomebodyElse);
  }

  const stored = await storeWanted(wanted, context, manager, management);

  // Only a new domain makes SES look for the records again. This one sends nothing, so nothing is lost.
  if (standing !== undefined && hasStopped(standing)) await ses.delete(wanted.domain);
  const ensured = await ensureDomain(
    stored.identity.wanted,
    { organizationId: manager.organizationId, sending: stored.organization?.identity },
    management,
  );
  if (ensured.kind === 'refused') {
    const { reason } = ensured;
    await settleIdentity(stored, { status: 'failed', reason }, management);
    throw new ServiceError('identity_rejected', `SES does not take the domain. ${reason}`);
  }
  const { found, tenant } = ensured;
  const settled = await settleIdentity(
    stored,
    { ...verdictOf(found, stored.identity.wanted), tenant },
    management,
  );
  if (!wantsIdentity(settled)) throw changedMeanwhile();
  await tryRemoveDomains(settled.identity, management, log);
  const { organization } = settled;
  return viewIdentity({ wanted: settled.identity.wanted, organization, found, account }, dns);
}

async function storeWanted(
  wanted: Pick<WantedIdentity, 'domain' | 'fromEmail' | 'mailFromDomain'>,
  { identity: before, organization }: IdentityContext,
  { organizationId, actor }: Manager,
  { now: readClock, identities }: IdentityManagement,
): Promise<WantingContext> {
  if (before?.removing.includes(wanted.domain)) throw changedMeanwhile();
  const now = readClock();
  const sending = organization?.identity;
  const after = withWanted(before, wanted, { organizationId, sending }, now);
  if (after.wanted === undefined) throw changedMeanwhile();
  const sendingNow = sendingAfter(after.wanted, sending);
  const audit = newAuditEntry(organizationId, actor, changeOf(before, after), now);
  const outcome = await identities.storeWanted(
    { before, after },
    wanted.domain,
    { identity: sendingNow },
    audit,
  );
  switch (outcome) {
    case 'taken':
      throw domainTaken('Another organization has set this domain. Ask the operator.');
    case 'changed_meanwhile':
      throw changedMeanwhile();
    case 'stored':
      return {
        identity: { ...after, wanted: after.wanted },
        organization:
          organization && sendingNow ? { ...organization, identity: sendingNow } : organization,
      };
  }
}

/** The From address stays out of it: the log of changes holds no address. */
const changeOf = (before: Identity | undefined, after: Identity) => ({
  action: 'identity.set',
  target: after.wanted?.domain ?? '',
  ...(before?.wanted !== undefined && { before: shownOf(before.wanted) }),
  ...(after.wanted !== undefined && { after: shownOf(after.wanted) }),
});

const shownOf = ({ domain, mailFromDomain, status }: WantedIdentity) => ({
  domain,
  mailFromDomain,
  status,
});

/** Beside a CNAME no MX can stand (RFC 1034 §3.6.2). */
async function refuseTakenLabel(
  mailFromDomain: string,
  dns: IdentityManagement['dns'],
): Promise<void> {
  const answer = await dns.cnameOf(mailFromDomain);
  if (answer === 'unanswered' || answer.length === 0) return;
  throw invalidField(
    'mailFromLabel',
    `${mailFromDomain} has a CNAME (to ${answer[0]}), and beside it no MX can stand: choose another label`,
  );
}

const domainTaken = (detail: string): ServiceError => new ServiceError('domain_taken', detail);
