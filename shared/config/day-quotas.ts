import type { LimitName } from './organization-limits.ts';

/**
 * Daily limits that requests count themselves, by their names in the table's keys. `TEST_WAITING` is for test emails
 * that wait, so a test run never keeps real emails out. Recipients a day: `access/limit-sending.ts`.
 */
export const dayQuotas = {
  UPLOADS: 'uploadBytesPerDay',
  CHANGES: 'changesPerDay',
  CONTACTS: 'contactsPerDay',
  WAITING: 'waitingBytesPerDay',
} as const satisfies Readonly<Record<string, LimitName>>;

export type DayQuota = keyof typeof dayQuotas | 'TEST_WAITING';
export type DailyLimit = 'recipientsPerDay' | (typeof dayQuotas)[keyof typeof dayQuotas];
