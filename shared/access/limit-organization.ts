import { ServiceError } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { type GivenLimits, limitsInForce } from '#shared/organizations/organization-limits';
import { rateSpanSeconds, retryAfterDayOf, retryAfterSpanOf } from './rate-limit.ts';
import type { RateWindowStore } from './rate-window-store.ts';

/**
 * Holds a send to what its organization may send. The day costs nothing: what was used is on the organization, from
 * the counting of usage, some seconds late. The rate is exact and costs a write, where one is set.
 *
 * An email may go out as long as there is any room before it, so one to many people never waits in vain.
 *
 * @throws ServiceError `daily_recipients_exhausted`, `organization_rate_limited`
 */
export async function limitOrganization(
  organization: Pick<Organization, 'id' | 'limits' | 'dayUse'>,
  recipients: number,
  now: number,
  sending: { readonly rateWindows: RateWindowStore; readonly limitsOfDeployment: GivenLimits },
): Promise<void> {
  const limits = limitsInForce(organization.limits, sending.limitsOfDeployment);
  const perDay = limits('recipientsPerDay') ?? Infinity;
  const { dayUse } = organization;
  const isToday = dayUse?.day === new Date(now).toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (isToday && dayUse.recipients >= perDay) {
    throw new ServiceError(
      'daily_recipients_exhausted',
      `The organization may send to ${perDay} recipients a day (UTC), and has. Nothing was sent: ask the operator of the service for more, or wait for Retry-After and retry with the same Idempotency-Key.`,
      { retryAfterSeconds: retryAfterDayOf(now) },
    );
  }
  const perSecond = limits('sendsPerSecond');
  if (perSecond === undefined) return;
  const before = await sending.rateWindows.countOfOrganization(organization.id, now, recipients);
  if (before >= perSecond * rateSpanSeconds) {
    throw new ServiceError(
      'organization_rate_limited',
      `The organization may send to ${perSecond} recipients a second. Nothing was sent: wait for Retry-After, then retry with the same Idempotency-Key.`,
      { retryAfterSeconds: retryAfterSpanOf(now) },
    );
  }
}
