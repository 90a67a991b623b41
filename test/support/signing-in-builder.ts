import type { ApiKey } from '#shared/access/api-key';
import type { SigningIn } from '#shared/access/change-sign-ins';
import type { DayQuotas } from '#shared/access/limit-day';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { buildApiKey, fakeApiKeys } from './api-key-builder.ts';
import { fakeDayQuotas } from './day-quota-builder.ts';

export const signInNow = 1_750_000_000_000;

/** A manager's key in memory, and what signs people in by it. */
export function buildSigningIn(settings: Parameters<typeof buildApiKey>[0] = {}) {
  const { text, apiKey } = buildApiKey({ scopes: ['manage_organization'], ...settings });
  const entries: AuditEntry[] = [];
  const world = { now: signInNow, apiKey, writes: 0, entries };
  const signingIn: SigningIn & DayQuotas = {
    ...fakeDayQuotas(),
    now: () => world.now,
    apiKeys: {
      ...fakeApiKeys([]),
      get: (id) => fakeApiKeys([world.apiKey]).get(id),
      replaceSignIns: async ({ signIns }, after) => {
        world.writes += 1;
        if (signIns !== world.apiKey.signIns) return false;
        world.apiKey = { ...world.apiKey, signIns: after };
        return true;
      },
    },
    audit: { append: async (entry) => void entries.push(entry) },
  };
  const change = (changes: Partial<ApiKey>) => {
    world.apiKey = { ...world.apiKey, ...changes };
  };
  return { text, world, signingIn, change };
}
