import type { Organization, TenantState } from '#shared/organizations/organization';
import { type AttributeChange, changesNothing } from '#shared/table/attribute-change';
import { exists, is, isAbsent, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import { dueIdentityIndexKey, identityKey, organizationKey } from '#shared/table/keys';
import type { TransactionItem } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Identity, type IdentityPlace, placeOf, type SendingIdentity } from './identity.ts';

export type IdentityChange = { readonly before: Identity | undefined; readonly after: Identity };

export type DefaultChange = {
  readonly byDefault: IdentityChange;
  /** The former default's identity, now beside the default. */
  readonly former: Identity | undefined;
  /** The new default's identity, in its earlier place beside the default. */
  readonly left: Identity;
};

/** What sends use from now on (`null`: nothing), and whether SES lets the organization send. */
export type OrganizationChange = {
  readonly identity?: SendingIdentity | null | undefined;
  readonly domains?: readonly SendingIdentity[] | undefined;
  /** `null`: its sends name no tenant. */
  readonly tenant?: TenantState | null | undefined;
  /** The version of `domains` and `tenant` as read, since several identities change them. */
  readonly domainsVersion?: number | undefined;
};

export const sendingOf = (
  { otherDomain }: Pick<IdentityPlace, 'otherDomain'>,
  organization: Pick<Organization, 'identity' | 'domains'> | undefined,
): SendingIdentity | undefined =>
  otherDomain === undefined
    ? organization?.identity
    : organization?.domains?.find(({ domain }) => domain === otherDomain);

/** `null`: sends use nothing of this identity. `undefined`: no change. */
export function sendingChange(
  { otherDomain }: Pick<IdentityPlace, 'otherDomain'>,
  organization: Pick<Organization, 'domains' | 'domainsVersion'> | undefined,
  sending: SendingIdentity | null | undefined,
): OrganizationChange {
  if (sending === undefined) return {};
  if (otherDomain === undefined) return { identity: sending };
  const { domains = [], domainsVersion } = organization ?? {};
  const others = domains.filter(({ domain }) => domain !== otherDomain);
  const after = sending === null ? others : [...others, sending];
  return { domains: after.toSorted(byDomain), domainsVersion };
}

export const byDomain = (one: { readonly domain: string }, other: { readonly domain: string }) =>
  one.domain < other.domain ? -1 : 1;

export function organizationAfter(
  { tenant: earlier, ...organization }: Organization,
  change: OrganizationChange,
): Organization {
  const { identity, domains, tenant = earlier } = change;
  return {
    ...organization,
    ...(identity && { identity }),
    ...(domains && { domains: [...domains] }),
    ...(tenant && { tenant }),
    ...(changesShared(change) && { domainsVersion: (organization.domainsVersion ?? 0) + 1 }),
  };
}

/** What several identities write. */
const changesShared = ({ domains, tenant }: OrganizationChange): boolean =>
  domains !== undefined || tenant !== undefined;

export function putVersion({ before, after }: IdentityChange): TransactionItem {
  const { organizationId, otherDomain, nextCheckAt, seen: _, ...version } = after;
  return {
    Put: {
      Item: {
        ...identityKey(organizationId, otherDomain),
        ...placeOf(after),
        ...version,
        ...(nextCheckAt !== undefined && {
          nextCheckAt,
          ...dueIdentityIndexKey(organizationId, nextCheckAt),
        }),
      },
      ...ifVersion(before),
    },
  };
}

export const deleteVersion = (before: Identity): TransactionItem => ({
  Delete: {
    Key: identityKey(before.organizationId, before.otherDomain),
    ...ifVersion(before),
  },
});

const ifVersion = (before: Pick<Identity, 'updatedAt'> | undefined) =>
  onlyIf(before === undefined ? isNew : is('updatedAt', before.updatedAt));

/** Requires that the identity is still the version that was read, or still doesn't exist. */
export const requireVersion = (
  { organizationId, otherDomain }: IdentityPlace,
  before: Pick<Identity, 'updatedAt'> | undefined,
): TransactionItem => ({
  ConditionCheck: {
    Key: identityKey(organizationId, otherDomain),
    ...ifVersion(before),
  },
});

/** Leaves the rest of the organization alone, which others may change at the same time. */
export function updateOrganization(
  organizationId: OrganizationId,
  organizationChange: OrganizationChange,
): TransactionItem[] {
  const { identity, domains, tenant, domainsVersion } = organizationChange;
  const isShared = changesShared(organizationChange);
  const change: AttributeChange = {
    set: {
      ...(identity && { identity }),
      ...(domains && { domains }),
      ...(tenant && { tenant }),
      ...(isShared && { domainsVersion: (domainsVersion ?? 0) + 1 }),
    },
    remove: [...(identity === null ? ['identity'] : []), ...(tenant === null ? ['tenant'] : [])],
  };
  if (changesNothing(change)) return [];
  const sameDomains =
    domainsVersion === undefined
      ? isAbsent('domainsVersion')
      : is('domainsVersion', domainsVersion);
  return [
    {
      Update: updateIf(organizationKey(organizationId), change, [
        exists,
        ...(isShared ? [sameDomains] : []),
      ]),
    },
  ];
}
