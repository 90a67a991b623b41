import type { LimitName } from './organization-limits.ts';

/**
 * Daily limits that requests count themselves, by their names in the table's keys. Recipients a day:
 * `access/limit-sending.ts`.
 */
export const dayQuotas = {
  UPLOADS: 'uploadBytesPerDay',
  CHANGES: 'changesPerDay',
  CONTACTS: 'contactsPerDay',
  WAITING: 'waitingBytesPerDay',
  DELIVERIES: 'requestedDeliveriesPerDay',
  LINKS: 'signInLinksPerDay',
} as const satisfies Readonly<Record<string, LimitName>>;

type RealQuota = keyof typeof dayQuotas;
type TestQuota = `${typeof ofTests}${RealQuota}`;
export type DayQuota = RealQuota | TestQuota;
export type DailyLimit = 'recipientsPerDay' | (typeof dayQuotas)[RealQuota];

const ofTests = 'TEST_';

/** What test keys do has days of the same size for itself, so a test run never keeps real requests out. */
export const quotaOf = (quota: RealQuota, isTest = false): DayQuota =>
  isTest ? `${ofTests}${quota}` : quota;

export const isOfTests = (quota: DayQuota): quota is TestQuota => quota.startsWith(ofTests);
