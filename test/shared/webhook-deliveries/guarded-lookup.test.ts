import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BlockedAddressError, guardLookup } from '#shared/webhook-deliveries/guarded-connection';

const toLookupAddress = (address: string): LookupAddress => ({
  address,
  family: address.includes(':') ? 6 : 4,
});

const answerAll =
  (...addresses: readonly string[]): LookupFunction =>
  (_name, _options, done) =>
    done(null, addresses.map(toLookupAddress));

const answerOne =
  (address: string): LookupFunction =>
  (_name, _options, done) =>
    done(null, address, address.includes(':') ? 6 : 4);

/** The answer of a lookup: addresses, or an error. */
function ask(lookup: LookupFunction): Promise<string | readonly LookupAddress[] | Error> {
  const { promise, resolve } = Promise.withResolvers<string | readonly LookupAddress[] | Error>();
  lookup('receiver.example.com', {}, (error, answer) => resolve(error ?? answer));
  return promise;
}

/** Addresses that are not on the public internet, by kind. */
const privateAddresses: readonly (readonly [string, readonly string[]])[] = [
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['this host', ['0.0.0.0', '0.1.2.3', '::']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1', 'fec0::1']],
  ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0']],
  ['metadata of AWS', ['169.254.169.254', '169.254.170.2', 'fd00:ec2::254']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255', '100.100.100.200']],
  ['multicast', ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1']],
  ['broadcast and reserved', ['255.255.255.255', '240.0.0.1', '192.0.0.1', '198.18.0.1']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
  ['IPv4 in IPv6, mapped', ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:8.8.8.8']],
  ['IPv4 in IPv6, compatible', ['::127.0.0.1', '::a9fe:a9fe']],
  ['IPv4 in IPv6, translated', ['::ffff:0:127.0.0.1']],
  ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2001::1']],
  ['IPv6 that nobody was given', ['1::1', '4000::1', '8000::1', '100::1']],
];

describe('a guarded lookup', () => {
  it.each(privateAddresses)('refuses a name that resolves to %s', async (_what, addresses) => {
    const alone = addresses.map((address) => ask(guardLookup(answerOne(address))));
    const listed = addresses.map((address) => ask(guardLookup(answerAll(address))));

    const answers = await Promise.all([...alone, ...listed]);

    expect(answers).toEqual(answers.map(() => expect.any(BlockedAddressError)));
  });

  it.each([[['127.0.0.1', '8.8.8.8']], [['8.8.8.8', '127.0.0.1']], [['8.8.8.8', '::1']]])(
    'refuses a name that resolves to %j, whichever address would be used',
    async (addresses) => {
      const answer = await ask(guardLookup(answerAll(...addresses)));

      expect(answer).toBeInstanceOf(BlockedAddressError);
    },
  );

  it('returns the addresses of a name on the public internet', async () => {
    const addresses = ['8.8.8.8', '2606:4700::1111'];

    const answers = [
      await ask(guardLookup(answerOne('8.8.8.8'))),
      await ask(guardLookup(answerAll(...addresses))),
    ];

    expect(answers).toEqual(['8.8.8.8', addresses.map(toLookupAddress)]);
  });

  it('fails as the resolver does when a name does not resolve', async () => {
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });

    const answer = await ask(guardLookup((_name, _options, done) => done(cause, '')));

    expect(answer).toBe(cause);
  });
});
