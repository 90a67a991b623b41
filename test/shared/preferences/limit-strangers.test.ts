import { describe, expect, it } from 'vitest';
import { admitBareAddress, type BareRequest } from '#shared/preferences/limit-strangers';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const hour = 486_111;
const begin = hour * 3_600_000;

/** Asks when so many requests of the hour named the address, and so many came from the network. */
function admit(
  { ofAddress = 1, ofSource = 1 }: { readonly ofAddress?: number; readonly ofSource?: number },
  request: Partial<BareRequest> = {},
  now = begin,
) {
  const counted: string[] = [];
  const count = async (name: string) => {
    counted.push(name);
    return name.startsWith('source ') ? ofSource : ofAddress;
  };
  const asked = {
    identity: 'ann@example.com',
    network: '203.0.113.7',
    access: 'change' as const,
    ...request,
  };
  const run = () =>
    admitBareAddress(asked, {
      now: () => now,
      keyring: async () => keyring,
      bareAddresses: { count },
    });
  return { run, counted };
}

const keyring = buildKeyring();

describe('admitBareAddress', () => {
  it('admits ten requests an hour for an address, and 120 from a network', async () => {
    await expect(admit({ ofAddress: 10, ofSource: 120 }).run()).resolves.toBeUndefined();
  });

  it.each([
    ['at the beginning', begin, 3_600],
    ['at the end', begin + 3_599_999, 1],
  ])('refuses the eleventh until the hour is over: %s', async (_when, now, retryAfterSeconds) => {
    const error = await serviceErrorOf(admit({ ofAddress: 11 }, {}, now).run);

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds });
  });

  it('refuses the 121st of one network, whatever addresses it names', async () => {
    const error = await serviceErrorOf(admit({ ofSource: 121 }).run);

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_600 });
  });

  it('counts reads apart, so that reading keeps nobody from unsubscribing', async () => {
    const [read, change] = [admit({}, { access: 'read' }), admit({}, { access: 'change' })];

    await Promise.all([read.run(), change.run()]);

    expect(read.counted[0]).toBe('read ann@example.com');
    expect(change.counted[0]).toBe('ann@example.com');
    expect(read.counted[1]).toBe(change.counted[1]);
  });

  it('counts a network under a digest of network and hour that takes the key to make', async () => {
    const [one, same, other, later] = [
      admit({}),
      admit({}, {}, begin + 1),
      admit({}, { network: '203.0.113.8' }),
      admit({}, {}, begin + 3_600_000),
    ];

    await Promise.all([one, same, other, later].map(({ run }) => run()));

    const names = [one, same, other, later].map(({ counted }) => counted[1]);
    expect(names[0]).not.toContain('203.0');
    expect(names[1]).toBe(names[0]);
    expect(new Set(names).size).toBe(3);
  });
});
