import type { RequestContext } from '#shared/access/request-context';
import { ServiceError } from '#shared/errors/service-error';
import { type GivenLimits, limitsInForce } from '#shared/organizations/limits-in-force';
import type { Organization } from '#shared/organizations/organization';
import type { Table } from '#shared/table/table-client';
import { dayOf } from '#shared/timing/day';
import type { ApiKey } from './api-key.ts';
import {
  rateLimitOf,
  rateSpanSeconds,
  retryAfterDayOf,
  retryAfterOf,
  retryAfterSpanOf,
} from './rate-window.ts';
import {
  countDayOfKey,
  countDayOfTests,
  countMinuteOfKey,
  countSpanOfOrganization,
  type HighestCount,
} from './rate-window-store.ts';

/**
 * A key so far over its cap that not even an earlier answer is looked up for it: retries stay within twice the cap, and
 * the others would make the cap cost more than what it refuses.
 */
export class FarOverCapError extends ServiceError {}

/**
 * SES counts and bills recipients, so the caps do, too. A request over the minute's cap counts as one there. Over
 * either cap, it doesn't count towards the day, or a program that retries would use up its day without sending an
 * email.
 *
 * @param recipients how many people the email goes to; 1 for a request that can't be sent.
 * @param context learns the state of the per-minute cap, if there is one.
 */
export async function limitKey(
  table: Table,
  { id, perMinuteCap, dailyCap }: ApiKey,
  recipients: number,
  now: number,
  context: Pick<RequestContext, 'rateLimit'>,
): Promise<void> {
  if (perMinuteCap !== undefined) {
    const counted = await countMinuteOfKey(table, id, now, { recipients, cap: perMinuteCap });
    const rateLimit = rateLimitOf(counted, perMinuteCap, now);
    context.rateLimit = rateLimit;
    if (rateLimit.isExceeded) {
      const cap = { most: perMinuteCap, per: 'a minute' };
      const Refusal = counted.count > 2 * perMinuteCap ? FarOverCapError : ServiceError;
      throw limited(cap, recipients, retryAfterOf(rateLimit, now), Refusal);
    }
  }
  if (dailyCap !== undefined) {
    const highest = { most: dailyCap - recipients };
    const usedToday = await countDayOfKey(table, id, now, recipients, highest);
    if (usedToday === Infinity) {
      throw limited({ most: dailyCap, per: 'a day (UTC)' }, recipients, retryAfterDayOf(now));
    }
  }
}

const waitThenRetry =
  'Nothing was sent: wait for Retry-After, then retry with the same Idempotency-Key.';

type Cap = { readonly most: number; readonly per: string };

/** Waiting only helps an email that fits the cap. With a 429, a client would retry forever one that never fits. */
function limited(
  { most, per }: Cap,
  recipients: number,
  retryAfterSeconds: number,
  Refusal: typeof ServiceError = ServiceError,
): ServiceError {
  const cap = `This API key may send to ${most} ${most === 1 ? 'recipient' : 'recipients'} ${per}`;
  if (recipients > most) {
    return new Refusal(
      'recipients_exceed_cap',
      `${cap}, and this request has ${recipients}. Nothing was sent: split it, or raise the cap.`,
    );
  }
  return new Refusal('rate_limited', `${cap}. ${waitThenRetry}`, { retryAfterSeconds });
}

type Limited = Pick<Organization, 'id' | 'limits' | 'dayUse'>;
type OrganizationLimiting = {
  readonly table: Table;
  readonly limitsOfDeployment: GivenLimits;
};

export async function limitOrganization(
  organization: Limited,
  recipients: number,
  now: number,
  sending: OrganizationLimiting,
  mode: CountedMode,
): Promise<void> {
  const use = await countInOrganization(organization, recipients, now, sending, mode);
  const refusal = refusalFor(use, 0, now);
  if (refusal !== undefined) throw refusal;
}

/**
 * Counts all emails of a request, or none.
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
  const aheadOfLast = all - (recipients.at(-1) ?? 0);
  const most = maxTogether(organization, sending, mode);
  if (aheadOfLast >= most) throw neverFits(most, all);
  const { test } = mode;
  const together = { test, aheadOfLast };
  const use = await countInOrganization(organization, all, now, sending, together);
  const advice = aheadOfLast > 0 ? sendFewer(aheadOfLast + 1) : undefined;
  const refusal = refusalFor(use, aheadOfLast, now, advice);
  if (refusal !== undefined) throw refusal;
}

/** While other emails use most of the limit, only a smaller batch fits. */
const sendFewer = (needed: number): string =>
  ` This request is all-or-nothing and needs room for ${needed} recipients at once: a smaller one fits sooner.`;

function maxTogether(
  { limits: own }: Limited,
  { limitsOfDeployment }: OrganizationLimiting,
  { test }: CountedMode,
): number {
  const limits = limitsInForce(own, limitsOfDeployment);
  const perDay = limits('recipientsPerDay') ?? Infinity;
  const perSecond = limits('sendsPerSecond') ?? Infinity;
  return test ? perDay : Math.min(perDay, perSecond * rateSpanSeconds);
}

/** Waiting doesn't help an email that never fits: see `limited`. */
const neverFits = (most: number, recipients: number): ServiceError =>
  new ServiceError(
    'recipients_exceed_cap',
    `The organization may send to ${most} recipients at once. This request is all-or-nothing and has ${recipients}. Nothing was sent: split it, or ask the operator for more.`,
  );

type CountedMode = { readonly test?: true | undefined };

/** If all emails of a request count or none: the recipients of all but its last email. */
type CountedTogether = { readonly aheadOfLast?: number };

/**
 * What an organization may send, and had used of that before the request, in recipients. A limit of `Infinity` is none;
 * a use of `Infinity` left no room, so the request wasn't counted.
 */
type UseBeforeRequest = {
  readonly perDay: number;
  readonly usedToday: number;
  readonly perSecond: number;
  readonly usedInSpan: number;
};

/**
 * The daily limit costs nothing: usage counting keeps the day's use on the organization, about half a minute late. The
 * rate is exact and costs a write, if one is set.
 *
 * An email goes out unless the limit was reached before it, so an email to many people never waits in vain.
 *
 * Test emails have a separate day of the same size, since they are stored like others. Each costs a write.
 */
export async function countInOrganization(
  organization: Limited,
  recipients: number,
  now: number,
  sending: OrganizationLimiting,
  { test, aheadOfLast }: CountedMode & CountedTogether,
): Promise<UseBeforeRequest> {
  const { id, dayUse } = organization;
  const { table } = sending;
  const highestCount = (limit: number): HighestCount | undefined =>
    aheadOfLast === undefined ? undefined : { most: limit - aheadOfLast - 1 };
  const limits = limitsInForce(organization.limits, sending.limitsOfDeployment);
  const perDay = limits('recipientsPerDay') ?? Infinity;
  if (test) {
    const usedToday = await countDayOfTests(table, id, now, recipients, highestCount(perDay));
    return { perDay, usedToday, perSecond: Infinity, usedInSpan: 0 };
  }
  const usedToday = dayUse?.day === dayOf(now) ? dayUse.recipients : 0;
  const perSecond = limits('sendsPerSecond') ?? Infinity;
  const isDayUsedUp = usedToday + (aheadOfLast ?? 0) >= perDay;
  if (isDayUsedUp || perSecond === Infinity) return { perDay, usedToday, perSecond, usedInSpan: 0 };
  const highest = highestCount(perSecond * rateSpanSeconds);
  const usedInSpan = await countSpanOfOrganization(table, id, now, recipients, highest);
  return { perDay, usedToday, perSecond, usedInSpan };
}

/**
 * The error that refuses an email, if one does.
 *
 * @param recipientsAhead recipients of the request's earlier emails.
 * @param advice is appended to the message.
 */
export function refusalFor(
  { perDay, usedToday, perSecond, usedInSpan }: UseBeforeRequest,
  recipientsAhead: number,
  now: number,
  advice?: string,
): ServiceError | undefined {
  if (usedToday + recipientsAhead >= perDay) return dayIsUsedUp(perDay, now, advice);
  const isSpanUsedUp = usedInSpan + recipientsAhead >= perSecond * rateSpanSeconds;
  return isSpanUsedUp ? tooFast(perSecond, now, advice) : undefined;
}

/**
 * A day stores as many sends as it may have recipients, including suppressed, failed and canceled ones. Known as late
 * as the day's recipients, at no cost.
 *
 * @param sendsAhead of the same request.
 */
export function refusalToStore(
  { limits: own, dayUse }: Limited,
  sendsAhead: number,
  now: number,
  { limitsOfDeployment }: Pick<OrganizationLimiting, 'limitsOfDeployment'>,
  { test }: CountedMode,
): ServiceError | undefined {
  const perDay = limitsInForce(own, limitsOfDeployment)('recipientsPerDay') ?? Infinity;
  const stored = dayUse?.day === dayOf(now) ? dayUse.stored : 0;
  if (test || stored + sendsAhead < perDay) return undefined;
  return new ServiceError(
    'daily_recipients_exhausted',
    `The organization may store ${perDay} emails a day (UTC), including suppressed and failed ones, and has reached that. ${waitThenRetry} Or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}

const dayIsUsedUp = (perDay: number, now: number, advice = ''): ServiceError =>
  new ServiceError(
    'daily_recipients_exhausted',
    `The organization may send to ${perDay} recipients a day (UTC), and has reached that. ${waitThenRetry} Or ask the operator for more.${advice}`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );

const tooFast = (perSecond: number, now: number, advice = ''): ServiceError =>
  new ServiceError(
    'organization_rate_limited',
    `The organization may send to ${perSecond} recipients a second. ${waitThenRetry}${advice}`,
    { retryAfterSeconds: retryAfterSpanOf(now) },
  );
