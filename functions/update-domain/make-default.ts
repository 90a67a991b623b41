import {
  changeTimeOf,
  type Identity,
  type SendingIdentity,
  shortestPauseMs,
  type WantedIdentity,
} from '#shared/identity/identity';
import {
  byDomain,
  type DefaultChange,
  type OrganizationChange,
  sendingOf,
} from '#shared/identity/identity-items';
import type { BothContexts } from '#shared/identity/identity-store';
import { dayMs } from '#shared/timing/day';

/**
 * The former default becomes a domain beside it. A domain that the former default was just replacing leaves SES, as
 * planned.
 *
 * @returns `undefined` unless the domain is active, and still beside the default.
 */
export function defaultChangeOf(
  { byDefault, beside }: BothContexts,
  now: number,
): { readonly identities: DefaultChange; readonly organization: OrganizationChange } | undefined {
  const { organization } = byDefault;
  const { identity: left } = beside;
  const sending = sendingOf(beside.place, organization);
  if (left?.wanted?.status !== 'active' || sending?.status !== 'active') return undefined;
  const { wanted } = left;
  const { domain, fromEmail } = wanted;
  const { identity: before } = byDefault;
  const former = formerOf(before, now);
  const used = organization?.identity;
  const isReplaced = used !== undefined && used.domain !== former?.wanted.domain;
  const removing = new Set([...(before?.removing ?? []), ...(isReplaced ? [used.domain] : [])]);
  removing.delete(former?.wanted.domain ?? '');
  const nextCheckAt = left.nextCheckAt ?? now + dayMs;
  const after: Identity = {
    organizationId: left.organizationId,
    wanted,
    removing: [...removing],
    nextCheckAt: removing.size > 0 ? Math.min(nextCheckAt, now + shortestPauseMs) : nextCheckAt,
    updatedAt: changeTimeOf(before, now),
  };
  const others = (organization?.domains ?? []).filter((one) => one.domain !== domain);
  const domains = [...others, ...(former === undefined ? [] : [entryOf(former, used)])];
  return {
    identities: { byDefault: { before, after }, former, left },
    organization: {
      identity: { domain, fromEmail, status: 'active' },
      domains: domains.toSorted(byDomain),
      domainsVersion: organization?.domainsVersion,
    },
  };
}

type FormerDefault = Identity & { readonly wanted: WantedIdentity };

/** As an identity beside the new default. */
function formerOf(before: Identity | undefined, now: number): FormerDefault | undefined {
  if (before?.wanted === undefined) return undefined;
  const { organizationId, wanted, nextCheckAt } = before;
  const isLeaving = before.removing.includes(wanted.domain);
  return {
    organizationId,
    otherDomain: wanted.domain,
    wanted,
    removing: isLeaving ? [wanted.domain] : [],
    ...(nextCheckAt !== undefined && { nextCheckAt }),
    updatedAt: changeTimeOf(before, now),
  };
}

const entryOf = (
  { wanted: { domain, fromEmail } }: FormerDefault,
  used: SendingIdentity | undefined,
): SendingIdentity => (used?.domain === domain ? used : { domain, fromEmail, status: 'pending' });
