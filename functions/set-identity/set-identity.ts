import type { Manager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { hasStopped } from '#shared/domains/ses-domain';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Surroundings } from '#shared/endpoints/serve';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { isOfService, ofSomebodyElse, restartDomain } from '#shared/identity/ensure-domain';
import {
  type Identity,
  sendingAfter,
  type WantedIdentity,
  withWanted,
} from '#shared/identity/identity';
import { admitIdentityChange, changedMeanwhile } from '#shared/identity/identity-changes';
import type { IdentityManagement } from '#shared/identity/identity-management';
import type { IdentityContext } from '#shared/identity/identity-store';
import { type IdentityView, viewIdentity } from '#shared/identity/identity-view';
import { lookAfterIdentity } from '#shared/identity/look-after-identity';
import { tryRemoveDomains } from '#shared/identity/remove-domains';
import { type WantingContext, wantsIdentity } from '#shared/identity/settle-identity';
import { settleOwnership } from '#shared/identity/settle-ownership';
import type { endpoint } from './endpoint.ts';

/**
 * Sets the domain that the organization sends from. Others may want it too: DNS proves later who owns it.
 *
 * Order of effects: store the domain as pending, with the claim to it; make SES have it; store what SES says. If the
 * process dies in between, the schedule goes on from there, and so does a repeated request.
 */
export async function setIdentity(
  { caller, body, log }: RequestTo<typeof endpoint> & Pick<Surroundings, 'log'>,
  management: IdentityManagement,
): Promise<IdentityView> {
  const { mailFromLabel, ...request } = body;
  const { organizationId } = caller;
  await admitIdentityChange(organizationId, management);
  const wanted = { ...request, mailFromDomain: `${mailFromLabel}.${request.domain}` };
  const { domain } = wanted;
  const { ses, dns, domains, identities, now } = management;
  const [found, standing, context, account] = await Promise.all([
    ses.get(domain),
    domains.read(domain, now()),
    identities.read(organizationId),
    ses.getAccount(),
    refuseTakenLabel(wanted.mailFromDomain, dns),
  ]);
  if (found !== undefined && !isOfService(found, organizationId, standing)) {
    throw new ServiceError('domain_taken', ofSomebodyElse);
  }

  const stored = await storeWanted(wanted, context, caller, management);

  const title = await settleOwnership(stored, management);
  if (found !== undefined && hasStopped(found)) {
    await restartDomain(domain, organizationId, title, management);
  }
  const after = await lookAfterIdentity(stored, title, management);
  if (after.refusal !== undefined) {
    throw new ServiceError('identity_rejected', `SES refuses the domain. ${after.refusal}`);
  }
  const settled = after.context;
  if (!wantsIdentity(settled)) throw changedMeanwhile();
  const seen = { domain, at: now(), ...(after.found && { found: after.found }), account };
  await identities.keepAnswer(settled.identity, seen);
  await tryRemoveDomains(settled.identity, management, log);
  const { identity, organization } = settled;
  return viewIdentity(
    { wanted: identity.wanted, organizationId, organization, title, found: after.found, account },
    dns,
  );
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

/** Without the From address: the audit holds no address. */
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

/** A name with a CNAME can't have an MX (RFC 1034 §3.6.2). */
async function refuseTakenLabel(
  mailFromDomain: string,
  dns: IdentityManagement['dns'],
): Promise<void> {
  const answer = await dns.cnameOf(mailFromDomain);
  if (answer === 'unanswered' || answer.length === 0) return;
  throw invalidField(
    'mailFromLabel',
    `${mailFromDomain} has a CNAME (to ${answer[0]}), and a name with a CNAME can’t have an MX: choose another label`,
  );
}
