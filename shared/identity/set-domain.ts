import type { Caller, Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { hasStopped } from '#shared/domains/ses-domain';
import type { Surroundings } from '#shared/endpoints/endpoint';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  requireBelowLimit,
} from '#shared/organizations/limits-in-force';
import type { Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { readDomainOwnership } from './domain-store.ts';
import { isOfService, ofSomebodyElse, restartDomain } from './ensure-domain.ts';
import {
  type Identity,
  type SendingIdentity,
  sendingAfter,
  type WantedIdentity,
  withWanted,
} from './identity.ts';
import { admitIdentityChange, changedMeanwhile } from './identity-changes.ts';
import { organizationAfter, sendingChange, sendingOf } from './identity-items.ts';
import {
  type BothContexts,
  getBothIdentities,
  type IdentityContext,
  keepSesAnswer,
  storeWantedIdentity,
} from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';
import { type DomainView, type IdentityView, viewIdentity, withDefault } from './identity-view.ts';
import { lookAfterIdentity } from './look-after-identity.ts';
import { deleteDomain, type RemovalUpkeep, tryRemoveDomains } from './remove-domains.ts';
import { type WantingContext, wantsIdentity } from './settle-identity.ts';
import { settleOwnership } from './settle-ownership.ts';

type WantedDomain = Pick<WantedIdentity, 'domain' | 'fromEmail' | 'mailFromDomain'>;

type DomainSetting = {
  readonly wanted: WantedDomain;
  readonly context: IdentityContext;
  readonly action: string;
  /** Must not have the domain as well. */
  readonly elsewhere?: IdentityContext;
};

export type DomainSetter = { readonly caller: Manager } & Pick<Surroundings, 'log'>;

/**
 * Others may want the domain too: DNS proves later who owns it.
 *
 * Order of effects: store the domain as pending, with the claim to it; make SES have it; store SES's answer. If the
 * process dies in between, the scheduled checks go on, and so does a repeated request.
 */
export async function setDomain(
  setting: DomainSetting,
  { caller, log }: DomainSetter,
  management: IdentityUpkeep,
): Promise<IdentityView> {
  const { organizationId } = caller;
  const { wanted } = setting;
  const { domain } = wanted;
  const { table, now, ses, dns } = management;
  const [found, existing, account] = await Promise.all([
    ses.get(domain),
    readDomainOwnership(table, domain, now()),
    ses.getAccount(),
    refuseTakenLabel(wanted.mailFromDomain, dns),
  ]);
  if (found !== undefined && !isOfService(found, organizationId, existing)) {
    throw new ServiceError('domain_taken', ofSomebodyElse);
  }

  const stored = await storeWanted(setting, caller, management);

  const title = await settleOwnership(stored, management);
  if (found !== undefined && hasStopped(found)) {
    await restartDomain(domain, organizationId, title, management);
  }
  const after = await lookAfterIdentity(stored, title, management);
  if (after.refusal !== undefined) {
    throw new ServiceError('identity_rejected', `SES rejected the domain. ${after.refusal}`);
  }
  const settled = after.context;
  if (!wantsIdentity(settled)) throw changedMeanwhile();
  const seen = { domain, at: now(), ...(after.found && { found: after.found }), account };
  await keepSesAnswer(table, settled.identity, seen);
  await tryRemoveDomains(settled.identity, management, log);
  const { identity, organization } = settled;
  return viewIdentity(
    { wanted: identity.wanted, organizationId, organization, title, found: after.found, account },
    dns,
  );
}

async function storeWanted(
  { wanted, context, action, elsewhere }: DomainSetting,
  { organizationId, actor }: Manager,
  { table, now: readClock }: IdentityUpkeep,
): Promise<WantingContext> {
  const { place, identity: before, organization } = context;
  if (before?.removing.includes(wanted.domain)) throw changedMeanwhile();
  const now = readClock();
  const sending = sendingOf(place, organization);
  const after = withWanted(before, wanted, { ...place, organizationId, sending }, now);
  const sendingNow = sendingAfter(after.wanted, sending) ?? entryFor(context, wanted);
  const change = sendingChange(place, organization, sendingNow);
  const audit = newAuditEntry(organizationId, actor, changeOf(action, before, after.wanted), now);
  const outcome = await storeWantedIdentity(
    table,
    { before, after },
    wanted.domain,
    change,
    audit,
    elsewhere,
  );
  switch (outcome) {
    case 'changed_meanwhile':
      throw changedMeanwhile();
    case 'stored':
      return {
        place,
        identity: after,
        organization: organization && organizationAfter(organization, change),
      };
  }
}

/** A domain beside the default is in the organization's list from the start. */
const entryFor = (
  { place, organization }: IdentityContext,
  { domain, fromEmail }: WantedDomain,
): SendingIdentity | undefined =>
  place.otherDomain !== undefined && sendingOf(place, organization) === undefined
    ? { domain, fromEmail, status: 'pending' }
    : undefined;

/** Leaves out the From address: the audit holds no address. */
const changeOf = (action: string, before: Identity | undefined, after: WantedIdentity) => ({
  action,
  target: after.domain,
  ...(before?.wanted !== undefined && { before: shownOf(before.wanted) }),
  after: shownOf(after),
});

const shownOf = ({ domain, mailFromDomain, status }: WantedIdentity) => ({
  domain,
  mailFromDomain,
  status,
});

/** A name with a CNAME can't have an MX (RFC 1034 §3.6.2). */
async function refuseTakenLabel(mailFromDomain: string, dns: IdentityUpkeep['dns']): Promise<void> {
  const answer = await dns.cnameOf(mailFromDomain);
  if (answer === 'unanswered' || answer.length === 0) return;
  throw invalidField(
    'mailFromLabel',
    `${mailFromDomain} has a CNAME (to ${answer[0]}), and a name with a CNAME can’t have an MX record: choose another label`,
  );
}

/**
 * An organization must not have a domain twice.
 *
 * @throws ServiceError `concurrent_change` while the domain is still leaving SES.
 */
export function requireElsewhereWithout({ identity }: IdentityContext, domain: string): void {
  if (identity?.wanted?.domain === domain) throw new ServiceError('domain_exists');
  if (identity?.removing.includes(domain)) throw changedMeanwhile();
}

export const wantingOf = (
  { byDefault, beside }: BothContexts,
  domain: string,
): WantingContext | undefined =>
  [byDefault, beside]
    .filter(wantsIdentity)
    .find(({ identity }) => identity.wanted.domain === domain);

/** @throws ServiceError `domain_not_found` */
export async function readDomain(
  table: Table,
  organizationId: OrganizationId,
  domain: string,
): Promise<WantingContext> {
  const found = wantingOf(await getBothIdentities(table, organizationId, domain), domain);
  if (found === undefined) throw new ServiceError('domain_not_found');
  return found;
}

type NewDomain = {
  readonly domain: string;
  /** Default: `hello@` the domain. */
  readonly fromEmail?: string;
  readonly mailFromLabel: string;
};

type DomainAdder = {
  readonly caller: Pick<Caller, 'organizationId' | 'actor' | 'ownLimits'>;
} & Pick<Surroundings, 'log'>;

export type DomainCreating = IdentityUpkeep & { readonly limitsOfDeployment: GivenLimits };

/** Adds the domain as the default if there is none, or else beside it. A repeated request continues the first one. */
export async function createDomain(
  { caller, body, log }: DomainAdder & { readonly body: NewDomain },
  management: DomainCreating,
): Promise<DomainView> {
  const { organizationId, ownLimits } = caller;
  const { domain, mailFromLabel, fromEmail = `hello@${domain}` } = body;
  await admitIdentityChange(organizationId, management);
  const wanted = { domain, fromEmail, mailFromDomain: `${mailFromLabel}.${domain}` };
  const both = await getBothIdentities(management.table, organizationId, domain);
  const setting = known(both, wanted) ?? added(both, wanted);
  if (setting.elsewhere !== undefined) {
    const limits = limitsInForce(ownLimits, management.limitsOfDeployment);
    requireBelowLimit('domains', domainsOf(both), limits);
  }
  return withDefault(await setDomain(setting, { caller, log }, management), setting.context);
}

const addedAction = 'domain.added';

/** `undefined` unless an identical earlier request has added it. */
function known(both: BothContexts, wanted: WantedDomain): DomainSetting | undefined {
  const context = wantingOf(both, wanted.domain);
  if (context === undefined) return undefined;
  const { fromEmail, mailFromDomain } = context.identity.wanted;
  const isSame = fromEmail === wanted.fromEmail && mailFromDomain === wanted.mailFromDomain;
  if (!isSame) throw new ServiceError('domain_exists');
  return { wanted, context, action: addedAction };
}

function added({ byDefault, beside }: BothContexts, wanted: WantedDomain): DomainSetting {
  const sending = byDefault.organization?.identity;
  const isDefault = byDefault.identity?.wanted === undefined;
  const [context, elsewhere] = isDefault ? [byDefault, beside] : [beside, byDefault];
  // The domain that an earlier default still sends from leaves SES once the new one is active.
  if (!isDefault && sending?.domain === wanted.domain) throw new ServiceError('domain_exists');
  requireElsewhereWithout(elsewhere, wanted.domain);
  return { wanted, context, action: addedAction, elsewhere };
}

const domainsOf = ({ byDefault: { identity, organization } }: BothContexts): number => {
  const hasDefault = identity?.wanted !== undefined;
  return (hasDefault ? 1 : 0) + (organization?.domains?.length ?? 0);
};

type OfDomain = { readonly path: { readonly domain: string } };

/** Sets the domain again unchanged: one that was given up starts over. */
export async function verifyDomain(
  { caller, path: { domain }, log }: DomainSetter & OfDomain,
  management: IdentityUpkeep,
): Promise<DomainView> {
  const { organizationId } = caller;
  const context = await readDomain(management.table, organizationId, domain);
  await admitIdentityChange(organizationId, management);
  const { fromEmail, mailFromDomain } = context.identity.wanted;
  const wanted = { domain, fromEmail, mailFromDomain };
  const setting = { wanted, context, action: 'domain.verification_started' };
  return withDefault(await setDomain(setting, { caller, log }, management), context);
}

export async function removeDomain(
  { caller, path: { domain }, log }: DomainSetter & OfDomain,
  management: RemovalUpkeep,
): Promise<undefined> {
  const { organizationId } = caller;
  const context = await readDomain(management.table, organizationId, domain);
  await admitIdentityChange(organizationId, management);
  await deleteDomain(context, { caller, log }, management);
}
