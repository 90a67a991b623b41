import { newAuditEntry } from '#shared/audit/audit-entry';
import { turnOf, withRequest } from '#shared/declarations/declaration';
import {
  type DomainDeclaration,
  listDomainDeclarations,
  storeDomainDeclaration,
} from '#shared/declarations/declaration-store';
import { dmarcNamesOf, findDmarc } from '#shared/domains/dmarc';
import type { DnsRecord } from '#shared/domains/dns-records';
import { isVouchedFor, othersOf } from '#shared/domains/domain-ownership';
import type { SesIdentities } from '#shared/domains/ses-identities';
import { ServiceError } from '#shared/errors/service-error';
import { endDomainClaim } from '#shared/identity/domain-claim-store';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { adoptDomain } from '#shared/identity/ensure-domain';
import { admitIdentityChange, changedMeanwhile } from '#shared/identity/identity-changes';
import { getBothIdentities, listIdentities } from '#shared/identity/identity-store';
import type { IdentityUpkeep } from '#shared/identity/identity-upkeep';
import type { DomainView } from '#shared/identity/identity-view';
import { deleteDomain, removeDomains, removeUnwanted } from '#shared/identity/remove-domains';
import {
  createDomain,
  type DomainCreating,
  type DomainSetter,
  readDomain,
  setDomain,
  wantingOf,
} from '#shared/identity/set-domain';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { showDomain } from '#shared/identity/show-identity';
import type { RequestLog } from '#shared/observability/request-log';
import type { OrganizationId } from '#shared/tokens/resource-id';

export type DomainDeclaring = DomainCreating & {
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: RequestLog;
};

type NamedDomain = { readonly organizationId: OrganizationId; readonly domain: string };
type Asked = NamedDomain & {
  /** One per organization: a resource moved to another one declares that before the old one is removed. */
  readonly declarer: string;
  readonly requestId: string;
};

export type DomainAsked = Asked & {
  readonly fromEmail: string | undefined;
  readonly mailFromLabel: string;
  readonly adopts: boolean;
};

export type DeclaredDomain = Pick<DomainDeclaration, 'publishes' | 'publishesDmarc'> & {
  /** Without a proof of ownership: the deployment vouches for the domain. */
  readonly records: readonly Pick<DnsRecord, 'purpose' | 'type' | 'name' | 'value'>[];
};

/**
 * Sets a domain for an organization on behalf of the operator who deploys the app. The operator's word proves ownership
 * unless another organization has proven it. The declaration is stored first: the deletion after a failure must know
 * what this resource has made.
 */
export async function declareDomain(
  asked: DomainAsked,
  declaring: DomainDeclaring,
): Promise<DeclaredDomain> {
  const { organizationId, domain, adopts } = asked;
  const { publishes, publishesDmarc, isLate } = await noteDomain(asked, declaring);
  const view = isLate
    ? await showDomain(await readDomain(declaring.table, organizationId, domain), declaring)
    : await repeatedly(async () => {
        const patient = { ...declaring, ses: withPatience(declaring) };
        const set = await setDeclared(asked, adopts, patient);
        // Another process is creating the domain in SES, or removing it.
        if (publishes && !set.records.some(({ purpose }) => purpose === 'dkim')) {
          throw changedMeanwhile();
        }
        return set;
      }, declaring);
  const records = view.records
    .filter(({ purpose }) => purpose !== 'ownership')
    .map(({ purpose, type, name, value }) => ({ purpose, type, name, value }));
  return { publishes, publishesDmarc, records };
}

async function noteDomain(
  asked: Asked,
  declaring: DomainDeclaring,
): Promise<DomainDeclaration & { readonly isLate: boolean }> {
  const { declarer, requestId, domain } = asked;
  const all = await listDomainDeclarations(declaring.table, domain);
  const before = all.find((one) => one.declarer === declarer);
  const turn = turnOf(requestId, before);
  if (before !== undefined && turn !== 'new') return { ...before, isLate: turn === 'late' };
  const isKnown = before !== undefined && before.endedAt === undefined;
  const first = isKnown ? before : await firstDeclaration(asked, all, declaring);
  const after = { ...first, requests: withRequest(requestId, before) };
  const outcome = await storeDomainDeclaration(declaring.table, before, after);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
  return { ...after, isLate: false };
}

/**
 * Decided once, for as long as the resource is declared. Records that SES has found already and a DMARC policy that
 * applies already were published by someone else, unless another resource, which may be about to go, publishes them.
 */
async function firstDeclaration(
  { declarer, organizationId, domain }: Asked,
  all: readonly DomainDeclaration[],
  { ses, dns, table }: DomainDeclaring,
): Promise<DomainDeclaration> {
  const dmarcNames = dmarcNamesOf(domain);
  const [found, both, texts] = await Promise.all([
    ses.get(domain),
    getBothIdentities(table, organizationId, domain),
    Promise.all(dmarcNames.map((name) => dns.textsOf(name))),
  ]);
  const others = othersThan(declarer, all);
  return {
    declarer,
    domain,
    organizationId,
    requests: [],
    isFound:
      wantingOf(both, domain) !== undefined &&
      !others.some((one) => one.organizationId === organizationId && !one.isFound),
    publishes: found?.dkim.status !== 'SUCCESS' || others.some(({ publishes }) => publishes),
    publishesDmarc:
      findDmarc(dmarcNames, texts) === 'none' ||
      others.some(({ publishesDmarc }) => publishesDmarc),
  };
}

const othersThan = (declarer: string, all: readonly DomainDeclaration[]) =>
  all.filter((one) => one.declarer !== declarer && one.endedAt === undefined);

async function setDeclared(
  { organizationId, domain, fromEmail, mailFromLabel }: DomainAsked,
  adopts: boolean,
  declaring: DomainDeclaring,
): Promise<DomainView> {
  const { table, ses, now, log } = declaring;
  const both = await getBothIdentities(table, organizationId, domain);
  const { organization } = both.byDefault;
  if (organization === undefined) throw new ServiceError('organization_not_found');
  if (adopts) await adoptDomain(domain, organizationId, declaring);
  const caller = {
    organizationId,
    actor: 'operator' as const,
    ownLimits: organization.limits,
  };
  await vouchForDomain({ caller, body: { domain, organizationId } }, declaring);
  const { adoption } = await readDomainOwnership(table, domain, now());
  const kept = adoption && labelOf((await ses.get(domain))?.mailFrom?.domain, domain);
  const label = kept ?? mailFromLabel;
  // The vouch may have changed the identity.
  const context = wantingOf(await getBothIdentities(table, organizationId, domain), domain);
  const body = {
    domain,
    fromEmail: fromEmail ?? context?.identity.wanted.fromEmail ?? `hello@${domain}`,
    mailFromLabel: label,
  };
  const wanted = { domain, fromEmail: body.fromEmail, mailFromDomain: `${label}.${domain}` };
  const isChanged =
    context !== undefined &&
    (context.identity.wanted.fromEmail !== wanted.fromEmail ||
      context.identity.wanted.mailFromDomain !== wanted.mailFromDomain);
  if (!isChanged) return createDomain({ caller, body, log }, declaring);
  await admitIdentityChange(organizationId, declaring);
  await setDomain({ wanted, context, action: 'domain.changed' }, { caller, log }, declaring);
  return showDomain(await readDomain(declaring.table, organizationId, domain), declaring);
}

/**
 * Each counts as a change of the organization's domains, which has so many an hour. With pauses that double, they go on
 * for longer than the lease that a dead process, or a silent SES, leaves behind.
 */
const maxTries = 7;
const pauseMs = 5_000;

/** Checks, people and other stacks change the organization's domains too, and all of them ask SES. */
async function repeatedly<Result>(
  change: () => Promise<Result>,
  { sleep }: Pick<DomainDeclaring, 'sleep'>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      const isPassing =
        error instanceof ServiceError &&
        (error.code === 'concurrent_change' || isTransient.has(error.code));
      if (!isPassing || tries === maxTries) throw error;
      await sleep(pauseMs * 2 ** (tries - 1));
    }
  }
}

/** The label of a MAIL FROM domain directly below the domain. */
function labelOf(mailFromDomain: string | undefined, domain: string): string | undefined {
  if (mailFromDomain?.endsWith(`.${domain}`) !== true) return undefined;
  const label = mailFromDomain.slice(0, -domain.length - 1);
  return label.includes('.') ? undefined : label;
}

const longestTryingMs = 240_000;

/**
 * A request waits some seconds until IAM knows the tag of a new domain, and then tells its caller to repeat it. Nothing
 * repeats this: a failure rolls the deployment back.
 */
function withPatience({ ses, now, sleep }: DomainDeclaring): SesIdentities {
  const untilAllowed = async (change: () => Promise<void>): Promise<void> => {
    for (const end = now() + longestTryingMs; ; await sleep(pauseMs)) {
      try {
        return await change();
      } catch (error) {
        const isEarly = error instanceof ServiceError && error.code === 'provider_not_ready';
        if (!isEarly || now() >= end) throw error;
      }
    }
  };
  return {
    ...ses,
    setMailFrom: (...names) => untilAllowed(() => ses.setMailFrom(...names)),
    stopForwarding: (domain) => untilAllowed(() => ses.stopForwarding(domain)),
  };
}

/**
 * Keeps what the organization had before, and what another resource declares: CloudFormation creates a renamed resource
 * before it deletes the old one.
 */
export async function removeDeclaredDomain(
  { declarer, requestId, organizationId, domain }: Asked,
  declaring: DomainDeclaring,
): Promise<void> {
  const { table, now, log } = declaring;
  const all = await listDomainDeclarations(table, domain);
  const before = all.find((one) => one.declarer === declarer);
  if (before === undefined || before.endedAt !== undefined) return;
  if (turnOf(requestId, before) === 'late') return;
  const isOthers = othersThan(declarer, all).some((one) => one.organizationId === organizationId);
  if (before.isFound || isOthers) {
    log.warn('domain stays, as it is not this resource’s alone', { organizationId });
  } else {
    const setter: DomainSetter = { caller: { organizationId, actor: 'operator' }, log };
    await repeatedly(async () => {
      const context = wantingOf(await getBothIdentities(table, organizationId, domain), domain);
      if (context !== undefined) await deleteDomain(context, setter, declaring);
    }, declaring);
    await untilRemoved({ organizationId, domain }, declaring);
  }
  const requests = withRequest(requestId, before);
  const after = { ...before, requests, endedAt: now() };
  const outcome = await storeDomainDeclaration(table, before, after);
  if (outcome === 'changed_meanwhile') throw changedMeanwhile();
}

/** The schedule that would complete the removal may be deleted with the stack. */
async function untilRemoved(named: NamedDomain, declaring: DomainDeclaring): Promise<void> {
  const { now, sleep } = declaring;
  for (const end = now() + longestTryingMs; ; await sleep(pauseMs)) {
    try {
      if ((await goOnRemoving(named, declaring)) === 'removed') return;
    } catch (error) {
      if (now() >= end) throw error;
    }
    if (now() >= end) throw changedMeanwhile();
  }
}

async function goOnRemoving(
  { organizationId, domain }: NamedDomain,
  declaring: DomainDeclaring,
): Promise<'removed' | 'removing'> {
  const { table, now } = declaring;
  const all = await listIdentities(table, organizationId);
  const leaving = all.find(({ removing }) => removing.includes(domain));
  if (leaving !== undefined) {
    await removeDomains(leaving, declaring);
    return 'removing';
  }
  // Left by a process that died before it stored the wish: an adoption or a vouch.
  const ownership = await readDomainOwnership(table, domain, now());
  const isLast = othersOf(ownership, organizationId).length === 0;
  if (isLast && ownership.adoption?.organizationId === organizationId) {
    await removeUnwanted({ organizationId, domain }, declaring);
    return 'removing';
  }
  if (!isVouchedFor(ownership, organizationId)) return 'removed';
  const change = { action: 'domain.released', target: domain };
  const audit = newAuditEntry(organizationId, 'operator', change, now());
  await endDomainClaim(table, domain, organizationId, ownership, audit);
  return 'removing';
}

const pollMs = 10_000;

/** Waits until the organization may send from the domain. Checks it as the endpoint does for a waiting person. */
export async function untilVerified(
  { organizationId, domain }: NamedDomain,
  waitMinutes: number,
  declaring: Pick<DomainDeclaring, 'sleep'> & IdentityUpkeep,
): Promise<void> {
  const { now, sleep } = declaring;
  const end = now() + waitMinutes * 60_000;
  for (;;) {
    const view = await lookAt({ organizationId, domain }, declaring);
    if (view?.status === 'active') return;
    if (now() + pollMs > end) {
      throw new ServiceError('domain_not_active', notVerified(domain, waitMinutes, view));
    }
    await sleep(pollMs);
  }
}

/** SES allows about one such call a second for the whole account, so a throttled look is worth repeating. */
async function lookAt(
  { organizationId, domain }: NamedDomain,
  declaring: IdentityUpkeep,
): Promise<DomainView | undefined> {
  try {
    return await showDomain(await readDomain(declaring.table, organizationId, domain), declaring);
  } catch (error) {
    const isOver = error instanceof ServiceError && !isTransient.has(error.code);
    if (isOver) throw error;
    return undefined;
  }
}

const isTransient = new Set<ServiceError['code']>([
  'provider_throttled',
  'provider_not_ready',
  'provider_unreachable',
]);

export function notVerified(
  domain: string,
  waitMinutes: number,
  view: Pick<DomainView, 'reason' | 'records'> | undefined,
): string {
  const missing = (view?.records ?? [])
    .filter(({ isRequired, state }) => isRequired && state !== 'found')
    .map(({ type, name, hint }) => `${type} ${name}${hint === undefined ? '' : ` (${hint})`}`);
  const why =
    missing.length > 0
      ? `DNS lacks ${missing.join(', ')}. Does the domain's registrar name the zone's name servers?`
      : 'DNS has its records: SES is still looking. Deploy again, with a higher waitMinutes if need be.';
  const reason = view?.reason === undefined ? '' : ` ${view.reason}`;
  return `SES has not verified ${domain} within ${waitMinutes} minutes.${reason} ${why} With waitMinutes: 0 the deployment doesn't wait.`;
}
