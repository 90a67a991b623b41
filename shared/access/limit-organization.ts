import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { type GivenLimits, limitsInForce } from '#shared/organizations/organization-limits';
import { dayOf } from '#shared/timing/day';
import type { Authentication, Caller } from './authenticate.ts';
import type { DayQuotaStore } from './day-quota-store.ts';
import { rateSpanSeconds, retryAfterDayOf, retryAfterSpanOf } from './rate-limit.ts';
import type { RateWindowStore } from './rate-window-store.ts';

type Limited = Pick<Organization, 'id' | 'limits' | 'dayUse'>;
type OrganizationLimiting = {
  readonly rateWindows: RateWindowStore;
  readonly limitsOfDeployment: GivenLimits;
};

export async function limitOrganization(
  organization: Limited,
  recipients: number,
  now: number,
  sending: OrganizationLimiting,
  mode: CountedMode,
): Promise<void> {
  const refusalAfter = await countInOrganization(organization, recipients, now, sending, mode);
  const refusal = refusalAfter(0);
  if (refusal !== undefined) throw refusal;
}

/**
 * All emails of a request, or none.
 *
 * @param recipients of each email that goes out now.
 */
export async function limitTogether(
  organization: Limited,
  recipients: readonly number[],
  now: number,
  sending: OrganizationLimiting,
  mode: CountedMode,
): Promise<void> {
  const all = recipients.reduce((sum, one) => sum + one, 0);
  if (all === 0) return;
  const before = all - (recipients.at(-1) ?? 0);
  const most = mostTogether(organization, sending, mode);
  if (before >= most) throw neverFits(most, all);
  const refusalAfter = await countInOrganization(organization, all, now, sending, mode);
  const refusal = refusalAfter(before);
  if (refusal !== undefined) throw refusal;
}

function mostTogether(
  { limits: own }: Limited,
  { limitsOfDeployment }: OrganizationLimiting,
  { test }: CountedMode,
): number {
  const limits = limitsInForce(own, limitsOfDeployment);
  const perDay = limits('recipientsPerDay') ?? Infinity;
  const perSecond = limits('sendsPerSecond') ?? Infinity;
  return test ? perDay : Math.min(perDay, perSecond * rateSpanSeconds);
}

/** Waiting helps only what fits at all: see `limit-rate.ts`. */
const neverFits = (most: number, recipients: number): ServiceError =>
  new ServiceError(
    'recipients_exceed_cap',
    `The organization may send to ${most} recipients at once, and this request has ${recipients}, which go out together or not at all: it never fits. Nothing was sent: split it, or ask the operator of the service for more.`,
  );

type CountedMode = { readonly test?: true | undefined };

/** What refuses an email after so many recipients of the same request, if anything. */
export type RefusalAfter = (recipientsBefore: number) => ServiceError | undefined;

/**
 * The daily limit costs nothing: usage counting keeps the day's use on the organization, about half a minute late. The
 * rate is exact and costs a write, if one is set.
 *
 * An email goes out as long as there is any room before it, so an email to many people never waits in vain.
 *
 * Test emails have a separate day of the same size, since they are stored like others. Each costs a write.
 */
export async function countInOrganization(
  organization: Limited,
  recipients: number,
  now: number,
  sending: OrganizationLimiting,
  { test }: CountedMode,
): Promise<RefusalAfter> {
  const limits = limitsInForce(organization.limits, sending.limitsOfDeployment);
  const perDay = limits('recipientsPerDay') ?? Infinity;
  if (test) {
    const used = await sending.rateWindows.countOfTests(organization.id, now, recipients);
    return (before) => (used + before >= perDay ? dayIsUsedUp(perDay, now) : undefined);
  }
  const { dayUse } = organization;
  const usedToday = dayUse?.day === dayOf(now) ? dayUse.recipients : 0;
  const perSecond = limits('sendsPerSecond');
  const usedInSpan =
    perSecond === undefined || usedToday >= perDay
      ? 0
      : await sending.rateWindows.countOfOrganization(organization.id, now, recipients);
  return (before) => {
    if (usedToday + before >= perDay) return dayIsUsedUp(perDay, now);
    if (perSecond === undefined) return undefined;
    return usedInSpan + before >= perSecond * rateSpanSeconds ? tooFast(perSecond, now) : undefined;
  };
}

const dayIsUsedUp = (perDay: number, now: number): ServiceError =>
  new ServiceError(
    'daily_recipients_exhausted',
    `The organization may send to ${perDay} recipients a day (UTC), and has. Nothing was sent: ask the operator of the service for more, or wait for Retry-After and retry with the same Idempotency-Key.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );

const tooFast = (perSecond: number, now: number): ServiceError =>
  new ServiceError(
    'organization_rate_limited',
    `The organization may send to ${perSecond} recipients a second. Nothing was sent: wait for Retry-After, then retry with the same Idempotency-Key.`,
    { retryAfterSeconds: retryAfterSpanOf(now) },
  );

export async function limitChanges(
  { organizationId, ownLimits }: Caller,
  {
    apiKeys,
    now,
    limitsOfDeployment,
  }: Authentication & { readonly limitsOfDeployment: GivenLimits },
): Promise<void> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('changesPerDay') ?? Infinity;
  const at = now();
  if (await apiKeys.takeChange(organizationId, most, at)) return;
  throw new ServiceError('change_limit_reached', undefined, {
    retryAfterSeconds: retryAfterDayOf(at),
  });
}

export type DayQuotas = {
  readonly dayQuotas: DayQuotaStore;
  readonly limitsOfDeployment: GivenLimits;
};

/** Every imported row counts, even one already suppressed: that isn't known before it's read. */
export async function limitContacts(
  { organizationId, ownLimits }: Pick<Caller, 'organizationId' | 'ownLimits'>,
  added: number,
  now: number,
  { dayQuotas, limitsOfDeployment }: DayQuotas,
): Promise<void> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('contactsPerDay') ?? Infinity;
  if (added === 0 || (await dayQuotas.take(organizationId, 'CONTACTS', added, most, now))) return;
  throw new ServiceError(
    'contact_limit_reached',
    `Your organization may import ${most} addresses a day (UTC), and ${added} more don't fit today. Nothing was imported. Split the file, wait for Retry-After, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}

export type CountedWaiting = { readonly giveBack: () => Promise<void> };

/** Bytes of emails that go out later. One that isn't stored after all may give back what it took. */
export async function limitWaiting(
  { id, limits: own }: Pick<Organization, 'id' | 'limits'>,
  bytes: number,
  now: number,
  { dayQuotas, limitsOfDeployment }: DayQuotas,
  { isTest }: { readonly isTest: boolean },
): Promise<{ readonly giveBack: (part?: number) => Promise<void> }> {
  const most = limitsInForce(own, limitsOfDeployment)('waitingBytesPerDay') ?? Infinity;
  const limit = `Your organization may store ${most} bytes a day (UTC) of emails that go out later`;
  if (bytes > most) {
    const message = `${limit}, so ${bytes} never fit. Nothing was stored: send at once, or ask the operator for more.`;
    throw new ServiceError('too_large', message, { errors: [{ path: '', message }] });
  }
  const quota = isTest ? 'TEST_WAITING' : 'WAITING';
  if (await dayQuotas.take(id, quota, bytes, most, now)) {
    return { giveBack: (part = bytes) => dayQuotas.giveBack(id, quota, part, now) };
  }
  throw new ServiceError(
    'waiting_limit_reached',
    `${limit}, and ${bytes} more don't fit today. Nothing was stored: send it at once, wait for Retry-After and retry with the same key, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}
