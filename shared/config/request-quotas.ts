import type { LimitName } from './organization-limits.ts';

/**
 * What an organization's requests may do in a day, by the names in the table's keys. Each request counts what it does.
 * Recipients a day: `access/limit-sending.ts`.
 */
export const requestQuotas = {
  UPLOADS: 'uploadBytesPerDay',
  CHANGES: 'changesPerDay',
  CONTACTS: 'contactsPerDay',
  WAITING: 'waitingBytesPerDay',
  DELIVERIES: 'requestedDeliveriesPerDay',
  LINKS: 'signInLinksPerDay',
} as const satisfies Readonly<Record<string, LimitName>>;

type RealQuota = keyof typeof requestQuotas;
type TestQuota = `${typeof ofTests}${RealQuota}`;
export type RequestQuota = RealQuota | TestQuota;
export type DailyLimit = 'recipientsPerDay' | (typeof requestQuotas)[RealQuota];

const ofTests = 'TEST_';

/** What test keys do has days of the same size for itself, so a test run never keeps real requests out. */
export const quotaOf = (quota: RealQuota, isTest = false): RequestQuota =>
  isTest ? `${ofTests}${quota}` : quota;

export const isOfTests = (quota: RequestQuota): quota is TestQuota => quota.startsWith(ofTests);
