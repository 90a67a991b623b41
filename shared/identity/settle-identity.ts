import { isDeepStrictEqual } from 'node:util';
import { retentionDaysOf, type TenantState } from '#shared/organizations/organization';
import { expiryAfter } from '#shared/table/expiry';
import { dayMs } from '#shared/timing/day';
import { organizationDeliveriesOf } from '#shared/webhook-deliveries/outbox';
import {
  afterVerdict,
  changeTimeOf,
  checkedSoon,
  type Identity,
  longestPauseMs,
  type SendingIdentity,
  sendingAfter,
  type Verdict,
  type WantedIdentity,
} from './identity.ts';
import {
  type OrganizationChange,
  organizationAfter,
  sendingChange,
  sendingOf,
} from './identity-items.ts';
import { type IdentityNews, identityNotices } from './identity-notices.ts';
import { getIdentity, type IdentityContext, storeIdentityChange } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';

export type WantingContext = IdentityContext & {
  readonly identity: Identity & { readonly wanted: WantedIdentity };
};

export const wantsIdentity = (context: IdentityContext): context is WantingContext =>
  context.identity?.wanted !== undefined;

/** Inactive for a week, so SES isn't asked about it again. */
export const isGivenUp = ({ removing, nextCheckAt, wanted }: WantingContext['identity']): boolean =>
  wanted.isGivenUp === true || nextCheckAt === undefined || removing.includes(wanted.domain);

/** The domain in use, while the wanted one doesn't replace it. */
export function replacedOf({
  place,
  identity,
  organization,
}: WantingContext): SendingIdentity | undefined {
  const used = sendingOf(place, organization);
  return used?.domain === identity.wanted.domain ? undefined : used;
}

export async function settleIdentity(
  context: WantingContext,
  { tenant, ...verdict }: Verdict & { readonly tenant?: TenantState | undefined },
  upkeep: IdentityUpkeep,
): Promise<IdentityContext> {
  const { identity: before, organization } = context;
  const now = upkeep.now();
  const used = sendingOf(context.place, organization);
  const after = afterVerdict(before, verdict, used, now);
  const { wanted } = after;
  const sending = sendingAfter(wanted, used);
  const active = wanted.status === 'active' && before.wanted.status !== 'active';
  const lost = sending?.status === 'pending';
  const news = { active: active ? wanted : undefined, lost: lost ? wanted : undefined };
  return store(context, { after, sending, ...news, tenant }, now, upkeep);
}

/** The verdict is about the domain in use, which another is to replace. */
export async function settleReplaced(
  context: WantingContext,
  used: SendingIdentity,
  { status, reason }: Verdict,
  upkeep: IdentityUpkeep,
): Promise<IdentityContext> {
  const { identity: before } = context;
  const sending = sendingAfter({ ...used, status }, used);
  if (sending === undefined) return context;
  const now = upkeep.now();
  const after = { ...before, updatedAt: changeTimeOf(before, now) };
  const lost = { domain: used.domain, reason, replacement: before.wanted.domain };
  const news = sending.status === 'active' ? { active: sending } : { lost };
  return store(context, { after, sending, ...news }, now, upkeep);
}

/** The wanted domain was given up: from now on only the domain in use is checked, if there's another. */
export async function planReplaced(
  context: WantingContext,
  tenant: TenantState | undefined,
  upkeep: IdentityUpkeep,
): Promise<IdentityContext> {
  const { nextCheckAt: _, ...before } = context.identity;
  const used = replacedOf(context);
  const now = upkeep.now();
  const pauseMs = used?.status === 'active' ? dayMs : longestPauseMs;
  const after: Identity = {
    ...before,
    ...(used !== undefined && { nextCheckAt: now + pauseMs }),
    updatedAt: changeTimeOf(before, now),
  };
  return store(context, { after, tenant }, now, upkeep);
}

type Settled = {
  readonly after: Identity;
  readonly sending?: SendingIdentity | undefined;
  readonly tenant?: TenantState | undefined;
} & Pick<IdentityNews, 'active' | 'lost'>;

/**
 * When a domain becomes active, sends use it from that transaction on, which also stores webhook messages and notices.
 * If another request changed the identity in between, nothing is stored.
 *
 * @returns the identity as stored.
 */
async function store(
  context: WantingContext,
  { after: settled, sending, active, lost, tenant }: Settled,
  now: number,
  { table, tenants, wakeQueue, sendRetentionDays }: IdentityUpkeep,
): Promise<IdentityContext> {
  const { identity: before, organization } = context;
  const after = tenant?.sending === 'paused' ? checkedSoon(settled, now) : settled;
  const deliveries = active
    ? organizationDeliveriesOf(
        {
          type: 'identity.active',
          key: `identity.active ${active.domain} ${after.updatedAt}`,
          at: now,
          data: { domain: active.domain, fromEmail: active.fromEmail },
        },
        after.organizationId,
        expiryAfter(now, retentionDaysOf(organization, sendRetentionDays)),
        organization?.webhooks ?? {},
      )
    : [];
  const notices = identityNotices(
    after.organizationId,
    {
      isBesideDefault: context.place.otherDomain !== undefined,
      active,
      lost,
      paused: newPauseOf(tenant, organization),
    },
    now,
  );
  const change: OrganizationChange = {
    ...sendingChange(context.place, organization, sending),
    // With tenants off, domains become active that its tenant doesn't have: later sends must not name it.
    tenant: tenants ? newStateOf(tenant, organization) : organization?.tenant && null,
    domainsVersion: organization?.domainsVersion,
  };
  const outcome = await storeIdentityChange(table, { before, after }, change, {
    deliveries,
    notices,
  });
  if (outcome === 'changed_meanwhile') {
    return getIdentity(table, before.organizationId, before.otherDomain);
  }
  await wakeQueue(deliveries);
  return {
    place: context.place,
    identity: after,
    organization: organization && organizationAfter(organization, change),
  };
}

const newStateOf = (
  tenant: TenantState | undefined,
  organization: IdentityContext['organization'],
): TenantState | undefined =>
  isDeepStrictEqual(tenant, organization?.tenant) ? undefined : tenant;

/** `undefined` if the organization was known to be paused before. */
export const newPauseOf = (
  tenant: TenantState | undefined,
  organization: IdentityContext['organization'],
): TenantState | undefined =>
  tenant?.sending === 'paused' && organization?.tenant?.sending !== 'paused' ? tenant : undefined;
