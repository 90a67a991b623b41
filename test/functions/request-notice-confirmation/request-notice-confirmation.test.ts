import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { requestNoticeConfirmation } from '../../../functions/request-notice-confirmation/request-notice-confirmation.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const manager = buildManager();
const noticeEmail = 'ops@example.com';

function prepare(
  overrides: Partial<Organization> = { noticeEmail },
  outcome: 'filed' | 'too_many' = 'filed',
) {
  const organization = buildOrganization({ id: manager.organizationId, ...overrides });
  const asked: (string | undefined)[] = [];
  const run = () =>
    requestNoticeConfirmation(manager, {
      now: manager.now,
      organizations: { get: async () => organization },
      confirmations: {
        request: async (asking) => {
          asked.push(asking.noticeEmail);
          return outcome;
        },
      },
    });
  return { run, asked };
}

describe('requestNoticeConfirmation', () => {
  it.each([{ noticeEmail }, { noticeEmail, noticeEmailState: 'pending' }] as const)(
    'asks an unconfirmed address: %j',
    async (address) => {
      const { run, asked } = prepare(address);

      await run();

      expect(asked).toEqual([noticeEmail]);
    },
  );

  it.each([
    ['nothing_to_confirm', 'no address is set', {}],
    ['nothing_to_confirm', 'it is confirmed', { noticeEmail, noticeEmailState: 'confirmed' }],
    ['no_active_identity', 'no domain is active', { noticeEmail, identity: undefined }],
  ] as const)('returns %s when %s', async (code, _when, overrides) => {
    const { run, asked } = prepare(overrides);

    expect((await serviceErrorOf(run)).code).toBe(code);
    expect(asked).toEqual([]);
  });

  it("says to wait until tomorrow when the day's tries are used up", async () => {
    const { run } = prepare({ noticeEmail }, 'too_many');

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('rate_limited');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  });
});
