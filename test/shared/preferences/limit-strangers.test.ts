import { describe, expect, it } from 'vitest';
import { admitBareAddress, type BareRequest } from '#shared/preferences/limit-strangers';
import { type Audience, openAudience } from '../../support/audience.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const begin = 486_111 * 3_600_000;
const keyring = buildKeyring();

const admit = (audience: Audience, request: Partial<BareRequest> = {}, at = begin) =>
  admitBareAddress(
    { identity: 'ann@example.com', network: '203.0.113.7', access: 'change', ...request },
    { ...audience, keyring: async () => keyring, now: () => at },
  );

async function admitTimes(times: number, of: (index: number) => Promise<void>) {
  for (let index = 0; index < times; index += 1) await of(index);
}

describe('admitBareAddress', () => {
  it.each([
    ['at the beginning', begin, 3_600],
    ['at the end', begin + 3_599_999, 1],
  ])('refuses the eleventh request for an address until the hour is over: %s', async (...when) => {
    const [, at, retryAfterSeconds] = when;
    const audience = await openAudience();
    await admitTimes(10, (index) => admit(audience, { network: `203.0.113.${index}` }, at));

    const error = await serviceErrorOf(() => admit(audience, {}, at));

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds });
  });

  it('refuses the 121st of one network, whatever addresses it names', async () => {
    const audience = await openAudience();
    await admitTimes(120, (index) => admit(audience, { identity: `ann.${index}@example.com` }));

    const error = await serviceErrorOf(() => admit(audience));

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_600 });
  });

  it('counts reads apart, so that reading keeps nobody from unsubscribing', async () => {
    const audience = await openAudience();

    await admit(audience, { access: 'read' });
    await admit(audience, { access: 'change' });

    // The address, once for each, and the network.
    expect(audience.strangersCounted().toSorted()).toEqual([1, 1, 2]);
  });

  it('counts a network under a digest of network and hour that takes the key to make', async () => {
    const audience = await openAudience();
    const count = async (identity: string, network: string, at: number, key = keyring) => {
      const before = new Set(audience.items().map(({ pk }) => pk));
      await admitBareAddress(
        { identity, network, access: 'change' },
        { ...audience, keyring: async () => key, now: () => at },
      );
      return audience.items().filter(({ pk }) => !before.has(pk)).length;
    };
    await count('one@example.com', '203.0.113.7', begin);

    // A new item for the address, and another unless the network has one.
    expect(await count('two@example.com', '203.0.113.7', begin + 1)).toBe(1);
    expect(await count('three@example.com', '203.0.113.8', begin)).toBe(2);
    expect(await count('four@example.com', '203.0.113.7', begin + 3_600_000)).toBe(2);
    expect(await count('five@example.com', '203.0.113.7', begin, buildKeyring())).toBe(2);
    expect(JSON.stringify(audience.items())).not.toContain('203.0');
  });
});
