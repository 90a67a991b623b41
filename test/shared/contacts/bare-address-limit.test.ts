import { describe, expect, it } from 'vitest';
import { admitBareAddress, hourEndOf, hourOf } from '#shared/contacts/bare-address-limit';
import { serviceErrorOf } from '../../support/service-error.ts';

const hour = 486_111;
const begin = hour * 3_600_000;

const admit = (requests: number, now = begin) =>
  admitBareAddress('ann@example.com', {
    now: () => now,
    bareAddresses: { count: async () => requests },
  });

describe('admitBareAddress', () => {
  it('admits ten requests an hour', async () => {
    await expect(admit(10)).resolves.toBeUndefined();
  });

  it.each([
    ['at the beginning', begin, 3_600],
    ['at the end', begin + 3_599_999, 1],
  ])('refuses the eleventh until the hour is over: %s', async (_when, now, retryAfterSeconds) => {
    const error = await serviceErrorOf(() => admit(11, now));

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds });
  });
});

describe('an hour', () => {
  it.each([begin, begin + 3_599_999])('lasts from its begin to its end (%i)', (now) => {
    expect(hourOf(now)).toBe(hour);
    expect(hourEndOf(now)).toBe(begin + 3_600_000);
  });
});
