import * as z from 'zod/mini';
import { sesAccountSchema } from '#shared/domains/account-state';
import { sesDomainSchema } from '#shared/domains/ses-domain';
import type { Organization, TenantState } from '#shared/organizations/organization';
import { dayMs } from '#shared/timing/day';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';

/**
 * | from      | to        | when                                                                                |
 * |-----------|-----------|-------------------------------------------------------------------------------------|
 * | (none)    | `pending` | the organization sets a domain                                                      |
 * | `pending` | `active`  | SES has found the DKIM records, and the domain is the organization's                |
 * | `pending` | `failed`  | SES did not find them in time, or refuses the domain                                |
 * | `active`  | `failed`  | SES has lost the DKIM records, or the domain has moved to another organization      |
 * | `failed`  | `active`  | SES has found them after all                                                        |
 *
 * Who owns a domain: `domain-ownership.ts`.
 */
export const identityStatuses = ['pending', 'active', 'failed'] as const;
export type IdentityStatus = (typeof identityStatuses)[number];

const wantedIdentitySchema = z.object({
  domain: z.string(),
  fromEmail: z.string(),
  /** A subdomain of `domain` where SES receives bounces. */
  mailFromDomain: z.string(),
  status: z.enum(identityStatuses),
  /** Starts with AWS's own name for it. */
  reason: z.optional(z.string()),
  /** When the domain was set or stopped being active, in epoch milliseconds. */
  pendingSince: z.optional(z.int()),
  /** It has left SES, and isn't looked after until it's set again. */
  isGivenUp: z.optional(z.boolean()),
  createdAt: z.int(),
});
export type WantedIdentity = z.infer<typeof wantedIdentitySchema>;

/** SES's answer about the wanted domain and the account. */
const keptAnswerSchema = z.object({
  domain: z.string(),
  at: z.int(),
  /** Absent if SES doesn't have the domain. */
  found: z.optional(sesDomainSchema),
  account: sesAccountSchema,
});
export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

/**
 * What the organization wants, and leftovers of earlier identities. Its sends use the organization's own `identity`
 * (for a domain beside the default, its entry in `domains`), which doesn't change until the wanted one is active.
 */
export const identitySchema = z.object({
  organizationId: organizationIdSchema,
  /** Absent: the default's. */
  otherDomain: z.optional(z.string()),
  wanted: z.optional(wantedIdentitySchema),
  /** Domains still to be removed from SES. */
  removing: z.array(z.string()),
  /** When to ask SES again. Absent for never. */
  nextCheckAt: z.optional(z.int()),
  /** Each new version starts without one. */
  seen: z.optional(keptAnswerSchema),
  updatedAt: z.int(),
});
export type Identity = z.infer<typeof identitySchema>;

export type IdentityPlace = {
  readonly organizationId: OrganizationId;
  readonly otherDomain?: string | undefined;
};

export const placeOf = ({ organizationId, otherDomain }: IdentityPlace): IdentityPlace => ({
  organizationId,
  ...(otherDomain !== undefined && { otherDomain }),
});

/** What sends use. */
export type SendingIdentity = Readonly<NonNullable<Organization['identity']>>;

const minuteMs = 60_000;
export const shortestPauseMs = minuteMs;
export const longestPauseMs = 6 * 60 * minuteMs;
/**
 * SES looks for DKIM records for 72 hours (SES guide, "Easy DKIM"). After a week without them we give the domain up,
 * and another organization may have it.
 */
export const givenUpAfterMs = 7 * dayMs;

export function withWanted(
  before: Identity | undefined,
  request: Pick<WantedIdentity, 'domain' | 'fromEmail' | 'mailFromDomain'>,
  owner: IdentityPlace & { readonly sending: SendingIdentity | undefined },
  now: number,
): Identity & { readonly wanted: WantedIdentity } {
  const { sending } = owner;
  const earlier = before?.wanted;
  const isSame = earlier?.domain === request.domain;
  const isInUse = sending?.domain === request.domain && sending.status === 'active';
  const replaced =
    earlier === undefined || isSame || earlier.domain === sending?.domain ? [] : [earlier.domain];
  return {
    ...placeOf(owner),
    wanted: {
      ...request,
      createdAt: isSame ? earlier.createdAt : now,
      ...(isInUse ? { status: 'active' as const } : pendingAt(now)),
    },
    removing: [...new Set([...(before?.removing ?? []), ...replaced])],
    nextCheckAt: now + shortestPauseMs,
    updatedAt: changeTimeOf(before, now),
  };
}

const pendingAt = (now: number) => ({ status: 'pending' as const, pendingSince: now });

/** SES's verdict, or its refusal of the domain. */
export type Verdict = { readonly status: IdentityStatus; readonly reason?: string | undefined };

/**
 * Once the wanted domain is active, it replaces the one in use, which is removed. If it isn't active within a week,
 * it's given up.
 */
export function afterVerdict(
  before: Identity & { readonly wanted: WantedIdentity },
  { status, reason }: Verdict,
  sending: SendingIdentity | undefined,
  now: number,
): Identity & { readonly wanted: WantedIdentity } {
  const { reason: _, pendingSince: earlier, ...kept } = before.wanted;
  const pendingSince = earlier ?? now;
  const isActive = status === 'active';
  const isGivenUp = !isActive && now - pendingSince >= givenUpAfterMs;
  const isReplaced = isActive && sending !== undefined && sending.domain !== kept.domain;
  const removing = new Set([
    ...before.removing,
    ...(isGivenUp ? [kept.domain] : []),
    ...(isReplaced ? [sending.domain] : []),
  ]);
  const wanted: WantedIdentity = isActive
    ? { ...kept, status }
    : {
        ...kept,
        status: isGivenUp ? 'failed' : status,
        pendingSince,
        ...((reason !== undefined || isGivenUp) && {
          reason: isGivenUp ? givenUp(reason) : reason,
        }),
      };
  return {
    ...placeOf(before),
    wanted,
    removing: [...removing],
    nextCheckAt: now + (isActive ? dayMs : pauseAfter(now - pendingSince)),
    updatedAt: changeTimeOf(before, now),
  };
}

/** Another organization has proven that it owns the domain. */
export function afterLoss(before: Identity, domain: string, now: number): Identity {
  const { wanted } = before;
  const updatedAt = changeTimeOf(before, now);
  if (wanted?.domain !== domain) return { ...before, updatedAt };
  return {
    ...before,
    wanted: { ...wanted, status: 'failed', reason: movedAway, pendingSince: now },
    nextCheckAt: now + shortestPauseMs,
    updatedAt,
  };
}

/** The operator released it: the scheduled checks remove the domain from SES. */
export function afterRelease(before: Identity, domain: string, now: number): Identity {
  const { wanted } = before;
  return {
    ...before,
    ...(wanted?.domain === domain && {
      wanted: { ...wanted, status: 'failed', reason: released, pendingSince: now },
    }),
    removing: [...new Set([...before.removing, domain])],
    nextCheckAt: now,
    updatedAt: changeTimeOf(before, now),
  };
}

const released = 'The operator released the domain. To use it again, set it again.';

export const checkedNow = (before: Identity, now: number): Identity => ({
  ...before,
  nextCheckAt: now,
  updatedAt: changeTimeOf(before, now),
});

const moved = 'The domain has moved to another organization of this service';

export const movedAway = `${moved}: DNS has that organization's TXT record and no longer yours. If that's wrong, fix the records.`;

/** Reasons are stored, so another wording of `movedAway` must begin with the same words. */
export const isMovedAway = (reason: string | undefined): boolean =>
  reason?.startsWith(moved) === true;

const givenUp = (reason: string | undefined): string =>
  `Gave up after a week${reason === undefined ? '' : ` (${reason})`}. Set the domain again to start over.`;

/** Half the time waited so far: from a minute up to six hours after half a day. */
export const pauseAfter = (waitedMs: number): number =>
  Math.min(longestPauseMs, Math.max(shortestPauseMs, Math.floor(waitedMs / 2)));

type SendingVerdict = Pick<WantedIdentity, 'domain' | 'fromEmail' | 'status'>;

export function sendingAfter(
  wanted: SendingVerdict,
  sending: SendingIdentity | undefined,
): SendingIdentity | undefined {
  const { domain, fromEmail } = wanted;
  const isInUse = sending?.domain === domain;
  if (wanted.status === 'active') {
    const isKnown = isInUse && sending.status === 'active' && sending.fromEmail === fromEmail;
    return isKnown ? undefined : { domain, fromEmail, status: 'active' };
  }
  // SES no longer accepts its email, and refusing early is cheaper for callers.
  const isLost = isInUse && sending.status === 'active';
  return isLost ? pendingOf(sending) : undefined;
}

/** An identity that sends must no longer use. */
export const pendingOf = (sending: SendingIdentity): SendingIdentity => ({
  ...sending,
  status: 'pending',
});

/** No two versions share a time, so the time tells a write which version it read. */
export const changeTimeOf = (before: Identity | undefined, now: number): number =>
  Math.max(now, (before?.updatedAt ?? 0) + 1);

/** The next check is in an hour at most. */
export const checkedSoon = <Checked extends Identity>(identity: Checked, now: number): Checked => ({
  ...identity,
  nextCheckAt: Math.min(now + 60 * minuteMs, identity.nextCheckAt ?? Infinity),
});

/** After a failed check: a quarter of an hour. */
export const postponed = (before: Identity, now: number): Identity => ({
  ...before,
  nextCheckAt: now + 15 * minuteMs,
  updatedAt: changeTimeOf(before, now),
});

/** While SES doesn't let the tenant send, the next check is within the hour, unless the identity was given up. */
export function afterTenantState(
  before: Identity,
  { sending }: Pick<TenantState, 'sending'>,
  now: number,
): Identity {
  const after = { ...before, updatedAt: changeTimeOf(before, now) };
  const isWatched = sending === 'paused' && before.nextCheckAt !== undefined;
  return isWatched ? checkedSoon(after, now) : after;
}
