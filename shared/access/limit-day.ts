import { quotaOf } from '#shared/config/request-quotas';
import { ServiceError } from '#shared/errors/service-error';
import { type GivenLimits, limitsInForce } from '#shared/organizations/limits-in-force';
import type { Organization } from '#shared/organizations/organization';
import type { Table } from '#shared/table/table-client';
import type { Caller } from './admit-caller.ts';
import { retryAfterDayOf } from './rate-window.ts';
import { giveBackRequestQuota, takeRequestQuota } from './request-quota-store.ts';

export type DayLimiting = { readonly table: Table; readonly limitsOfDeployment: GivenLimits };

export async function limitChanges(
  { organizationId, ownLimits, apiKey }: Caller,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
): Promise<void> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('changesPerDay') ?? Infinity;
  const quota = quotaOf('CHANGES', apiKey.test);
  if (await takeRequestQuota(table, organizationId, quota, 1, most, now)) return;
  throw new ServiceError('change_limit_reached', undefined, {
    retryAfterSeconds: retryAfterDayOf(now),
  });
}

/** Every address counts, even if it's already suppressed: that isn't known before it's read. */
export async function limitContacts(
  { organizationId, ownLimits }: Pick<Caller, 'organizationId' | 'ownLimits'>,
  added: number,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
): Promise<void> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('contactsPerDay') ?? Infinity;
  if (added === 0) return;
  if (await takeRequestQuota(table, organizationId, 'CONTACTS', added, most, now)) return;
  throw new ServiceError(
    'contact_limit_reached',
    `Your organization may import and unsubscribe ${most} addresses a day (UTC; erasing an unknown address counts), and ${added} more would exceed that. Nothing was stored. Send fewer, wait for Retry-After, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}

/** Counts webhook messages that a request asks for, all or none. Those that aren't sent after all may be given back. */
export async function limitDeliveries(
  { organizationId, ownLimits }: Pick<Caller, 'organizationId' | 'ownLimits'>,
  asked: number,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
): Promise<{ readonly giveBack: (part: number) => Promise<void> }> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('requestedDeliveriesPerDay');
  const taken =
    asked === 0 ||
    (await takeRequestQuota(table, organizationId, 'DELIVERIES', asked, most ?? Infinity, now));
  if (taken) {
    return {
      giveBack: (part) => giveBackRequestQuota(table, organizationId, 'DELIVERIES', part, now),
    };
  }
  throw new ServiceError(
    'delivery_limit_reached',
    `Your organization may ask for ${most} webhook tests and repeated deliveries a day (UTC), and ${asked} more would exceed that. Nothing was sent. Wait for Retry-After, or ask the operator for more. Events are delivered as before.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}

/**
 * Each link is in the audit for 400 days. Signing in with the key itself isn't limited: a thief who uses up the day
 * can't lock anyone out.
 */
export async function limitSignInLinks(
  { organizationId, ownLimits }: Pick<Caller, 'organizationId' | 'ownLimits'>,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
): Promise<void> {
  const most = limitsInForce(ownLimits, limitsOfDeployment)('signInLinksPerDay') ?? Infinity;
  if (await takeRequestQuota(table, organizationId, 'LINKS', 1, most, now)) return;
  throw new ServiceError('sign_in_link_limit_reached', undefined, {
    retryAfterSeconds: retryAfterDayOf(now),
  });
}

export type CountedWaiting = { readonly giveBack: () => Promise<void> };

/** Counts bytes of emails that go out later. One that isn't stored after all may give its bytes back. */
export async function limitWaiting(
  { id, limits: own }: Pick<Organization, 'id' | 'limits'>,
  bytes: number,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
  { isTest }: { readonly isTest: boolean },
): Promise<{ readonly giveBack: (part?: number) => Promise<void> }> {
  const most = limitsInForce(own, limitsOfDeployment)('waitingBytesPerDay') ?? Infinity;
  const limit = `Your organization may store ${most} bytes of scheduled and queued emails a day (UTC)`;
  if (bytes > most) {
    const message = `${limit}, and this request has ${bytes}. Nothing was stored: send now, or ask the operator for more.`;
    throw new ServiceError('too_large', message, { errors: [{ path: '', message }] });
  }
  const quota = quotaOf('WAITING', isTest);
  if (await takeRequestQuota(table, id, quota, bytes, most, now)) {
    return { giveBack: (part = bytes) => giveBackRequestQuota(table, id, quota, part, now) };
  }
  throw new ServiceError(
    'waiting_limit_reached',
    `${limit}, and ${bytes} more would exceed that. Nothing was stored: send it now, wait for Retry-After and retry with the same key, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}

export async function limitUploads(
  { id, limits: own }: Pick<Organization, 'id' | 'limits'>,
  size: number,
  now: number,
  { table, limitsOfDeployment }: DayLimiting,
  { isTest }: { readonly isTest: boolean },
): Promise<void> {
  const most = limitsInForce(own, limitsOfDeployment)('uploadBytesPerDay') ?? Infinity;
  const limit = `Your organization may upload ${most} bytes a day (UTC)`;
  if (size > most) {
    const message = `${limit}, and this file has ${size}. Ask the operator for more.`;
    throw new ServiceError('too_large', message, { errors: [{ path: 'size', message }] });
  }
  if (await takeRequestQuota(table, id, quotaOf('UPLOADS', isTest), size, most, now)) return;
  throw new ServiceError(
    'upload_limit_reached',
    `${limit}, and ${size} more would exceed that. Wait for Retry-After, or ask the operator for more.`,
    { retryAfterSeconds: retryAfterDayOf(now) },
  );
}
