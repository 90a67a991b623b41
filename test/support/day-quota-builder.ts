import type { DayQuotaStore } from '#shared/access/day-quota-store';
import type { DayQuotas } from '#shared/access/limit-day';
import { unexpected } from './unexpected.ts';

/** Quotas of a day in which everything fits, unless said otherwise. */
export const fakeDayQuotas = (overrides: Partial<DayQuotaStore> = {}): DayQuotas => ({
  limitsOfDeployment: {},
  dayQuotas: {
    take: async () => true,
    giveBack: unexpected('dayQuotas.giveBack'),
    read: unexpected('dayQuotas.read'),
    ...overrides,
  },
});
