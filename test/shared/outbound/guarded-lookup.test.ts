import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BlockedAddressError, guardLookup } from '#shared/outbound/guarded-connection';
import { privateHosts } from './private-hosts.ts';

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

const privateAddresses = privateHosts
  .flatMap(([, hosts]) => hosts.map((host) => host.replaceAll(/[[\]]/g, '')))
  .filter(isIP);

describe('a guarded lookup', () => {
  it.each([...privateAddresses, 'fe80::1%eth0'])(
    'refuses a name that resolves to %s',
    async (address) => {
      const alone = await ask(guardLookup(answerOne(address)));
      const listed = await ask(guardLookup(answerAll(address)));

      expect([alone, listed]).toEqual(Array(2).fill(expect.any(BlockedAddressError)));
    },
  );

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
