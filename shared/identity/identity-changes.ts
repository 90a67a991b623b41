import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { hourEndOf } from '#shared/timing/hour';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { countIdentityChange } from './identity-store.ts';

/** Each makes a few calls to SES, which allows about one a second for the whole account. */
const maxChangesInHour = 20;

/** Counts a change to an organization's domains, before SES is called. */
export async function admitIdentityChange(
  organizationId: OrganizationId,
  { table, now }: TableAndClock,
): Promise<void> {
  const at = now();
  if ((await countIdentityChange(table, organizationId, at)) <= maxChangesInHour) return;
  throw new ServiceError(
    'rate_limited',
    `An organization can change its domains ${maxChangesInHour} times an hour. Nothing was changed: wait for Retry-After. To check progress, read the domain instead.`,
    { retryAfterSeconds: secondsUntil(hourEndOf(at), at) },
  );
}

export const changedMeanwhile = (): ServiceError =>
  new ServiceError(
    'concurrent_change',
    'Another request changed the domain, or it’s still being removed, which takes seconds. Read it again, then repeat your change.',
  );
