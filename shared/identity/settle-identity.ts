import { isDeepStrictEqual } from 'node:util';
import { retentionDaysOf, type TenantState } from '#shared/organizations/organization';
import { expiryAfter } from '#shared/table/expiry';
import { organizationDeliveriesOf } from '#shared/webhook-deliveries/outbox';
import {
  afterVerdict,
  checkedSoon,
  type Identity,
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
import { identityNotices } from './identity-notices.ts';
import type { IdentityContext } from './identity-store.ts';
import type { IdentityUpkeep } from './identity-upkeep.ts';

export type WantingContext = IdentityContext & {
  readonly identity: Identity & { readonly wanted: WantedIdentity };
};

export const wantsIdentity = (context: IdentityContext): context is WantingContext =>
  context.identity?.wanted !== undefined;

/** Inactive for a week, so SES isn't asked about it again. */
export const isGivenUp = ({ removing, nextCheckAt, wanted }: WantingContext['identity']): boolean =>
  nextCheckAt === undefined || removing.includes(wanted.domain);

/**
 * When the identity becomes active, sends use it from that transaction on, which also stores webhook messages and
 * notices. If another request changed the identity in between, nothing is stored.
 *
 * @returns the identity as stored.
 */
export async function settleIdentity(
  context: WantingContext,
  { tenant, ...verdict }: Verdict & { readonly tenant?: TenantState | undefined },
  { now: readClock, identities, wakeQueue, sendRetentionDays }: IdentityUpkeep,
): Promise<IdentityContext> {
  const { identity: before, organization } = context;
  const now = readClock();
  const used = sendingOf(context.place, organization);
  const judged = afterVerdict(before, verdict, used, now);
  const after = tenant?.sending === 'paused' ? checkedSoon(judged, now) : judged;
  const sending = sendingAfter(after.wanted, used);
  const becameActive = after.wanted.status === 'active' && before.wanted.status !== 'active';
  const { domain, fromEmail } = after.wanted;
  const deliveries = becameActive
    ? organizationDeliveriesOf(
        {
          type: 'identity.active',
          key: `identity.active ${domain} ${after.updatedAt}`,
          at: now,
          data: { domain, fromEmail },
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
      active: becameActive ? after.wanted : undefined,
      lost: sending?.status === 'pending' ? after.wanted : undefined,
      paused: newPauseOf(tenant, organization),
    },
    now,
  );
  const change: OrganizationChange = {
    ...sendingChange(context.place, organization, sending),
    tenant: isDeepStrictEqual(tenant, organization?.tenant) ? undefined : tenant,
    domainsVersion: organization?.domainsVersion,
  };
  const outcome = await identities.storeChange({ before, after }, change, { deliveries, notices });
  if (outcome === 'changed_meanwhile') {
    return identities.read(before.organizationId, before.otherDomain);
  }
  await wakeQueue(deliveries);
  return {
    place: context.place,
    identity: after,
    organization: organization && organizationAfter(organization, change),
  };
}

/** `undefined` if the organization was known to be paused before. */
export const newPauseOf = (
  tenant: TenantState | undefined,
  organization: IdentityContext['organization'],
): TenantState | undefined =>
  tenant?.sending === 'paused' && organization?.tenant?.sending !== 'paused' ? tenant : undefined;
