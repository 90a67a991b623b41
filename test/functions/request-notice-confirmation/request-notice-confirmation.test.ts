import { describe, expect, it } from 'vitest';
import { maxConfirmationsPerDay, newConfirmationRequest } from '#shared/notices/confirmation';
import type { Organization } from '#shared/organizations/organization';
import { requestNoticeConfirmation } from '../../../functions/request-notice-confirmation/request-notice-confirmation.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const noticeEmail = 'ops@example.com';

const pending = { noticeEmail, noticeEmailState: 'pending' } as const;

async function openAddressed(given: Partial<Organization> = pending) {
  const account = await openAccount(given);
  const request = () => requestNoticeConfirmation(account, account);
  return { ...account, request };
}

describe('requestNoticeConfirmation', () => {
  it('asks an unconfirmed address', async () => {
    const account = await openAddressed();

    await account.request();

    expect(account.notices()).toEqual([
      expect.objectContaining(newConfirmationRequest(account.organization, account.clock.at)),
    ]);
  });

  it.each([
    ['nothing_to_confirm', 'no address is set', {}],
    ['nothing_to_confirm', 'it is confirmed', { noticeEmail, noticeEmailState: 'confirmed' }],
    ['no_active_identity', 'no domain is active', { noticeEmail, identity: undefined }],
  ] as const)('returns %s when %s', async (code, _when, given) => {
    const account = await openAddressed(given);

    expect((await serviceErrorOf(account.request)).code).toBe(code);
    expect(account.notices()).toEqual([]);
  });

  it("says to wait until tomorrow when the day's tries are used up", async () => {
    const { request } = await openAddressed();
    for (let tries = 1; tries <= maxConfirmationsPerDay; tries += 1) await request();

    const error = await serviceErrorOf(request);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  });
});
