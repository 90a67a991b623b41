import { describe, expect, it } from 'vitest';
import { limitOrganization } from '#shared/access/limit-organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

/** Two seconds after a span of ten, and an hour before midnight in UTC. */
const now = Date.UTC(2026, 10, 22, 23, 0, 2);
const id = newOrganizationId();

function prepare(
  organization: Omit<Parameters<typeof limitOrganization>[0], 'id'>,
  before = 0,
  recipients = 1,
  mode: Parameters<typeof limitOrganization>[4] = {},
) {
  const counted: unknown[] = [];
  const rateWindows = {
    count: unexpected('count'),
    countOfDay: unexpected('countOfDay'),
    countOfTests: async (...args: readonly unknown[]) => {
      counted.push(['test', ...args]);
      return before;
    },
    countOfOrganization: async (...args: readonly unknown[]) => {
      counted.push(args);
      return before;
    },
  };
  const sending = { rateWindows, limitsOfDeployment: {} };
  const run = () => limitOrganization({ id, ...organization }, recipients, now, sending, mode);
  return { run, counted };
}

describe('what an organization sends', () => {
  it('costs no call without a rate of its own', async () => {
    const { run, counted } = prepare({ dayUse: { day: '2026-11-22', recipients: 5_000 } });

    await run();

    expect(counted).toEqual([]);
  });

  it('is refused until midnight when the recipients of the day are used up', async () => {
    const limits = { recipientsPerDay: 100 };
    const { run } = prepare({ limits, dayUse: { day: '2026-11-22', recipients: 100 } });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('daily_recipients_exhausted');
    expect(error.retryAfterSeconds).toBe(3_598);
  });

  it.each([
    ['there is room', { day: '2026-11-22', recipients: 99 }],
    ['it was another day', { day: '2026-11-21', recipients: 5_000 }],
    ['nothing is noted', undefined],
  ])('goes out when %s', async (_what, dayUse) => {
    const limits = { recipientsPerDay: 100 };
    const { run } = prepare({ limits, ...(dayUse && { dayUse }) });

    await expect(run()).resolves.toBeUndefined();
  });

  it('is counted by recipients where the operator set a rate, over ten seconds', async () => {
    const { run, counted } = prepare({ limits: { sendsPerSecond: 5 } }, 49, 40);

    await run();

    expect(counted).toEqual([[id, now, 40]]);
  });

  it('is refused until the ten seconds are over when they are used up', async () => {
    const { run } = prepare({ limits: { sendsPerSecond: 5 } }, 50);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('organization_rate_limited');
    expect(error.retryAfterSeconds).toBe(8);
  });
});

describe('what an organization tests', () => {
  const limits = { recipientsPerDay: 100, sendsPerSecond: 1 };
  const dayUse = { day: '2026-11-22', recipients: 5_000 };

  it('has a day of its own, whatever is sent', async () => {
    const { run, counted } = prepare({ limits, dayUse }, 99, 7, { test: true });

    await run();

    expect(counted).toEqual([['test', id, now, 7]]);
  });

  it('is refused once that is used up', async () => {
    const { run } = prepare({ limits, dayUse }, 100, 1, { test: true });

    expect((await serviceErrorOf(run)).code).toBe('daily_recipients_exhausted');
  });
});
