import { createSocket } from 'node:dgram';
import { type LookupAddress, Resolver } from 'node:dns';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryLookup } from '#shared/outbound/query-lookup';

type Answers = { readonly 4?: readonly string[]; readonly 6?: readonly string[] };

const refusal = (code: string) => Object.assign(new Error(code), { code });

type Resolving = NonNullable<Parameters<typeof createQueryLookup>[0]>;

/** A resolver that knows these addresses only. */
const resolverOf = (answers: Answers): Resolving => ({
  resolve4: (_name, done) =>
    answers[4] ? done(null, [...answers[4]]) : done(refusal('ENODATA'), []),
  resolve6: (_name, done) =>
    answers[6] ? done(null, [...answers[6]]) : done(refusal('ENODATA'), []),
});

function ask(resolver: Resolving, all: boolean) {
  const { promise, resolve } = Promise.withResolvers<string | LookupAddress[] | Error>();
  createQueryLookup(resolver)('files.example.com', { all }, (error, found) =>
    resolve(error ?? found),
  );
  return promise;
}

describe('a lookup by query', () => {
  it.each<[string, Answers, readonly (readonly [string, number])[]]>([
    [
      'IPv4',
      { 4: ['8.8.8.8', '8.8.4.4'] },
      [
        ['8.8.8.8', 4],
        ['8.8.4.4', 4],
      ],
    ],
    ['IPv4 before IPv6', { 4: ['8.8.8.8'], 6: ['2606:4700::1'] }, [['8.8.8.8', 4]]],
    ['IPv6 where there is no other', { 6: ['2606:4700::1'] }, [['2606:4700::1', 6]]],
    ['IPv6 after an empty answer', { 4: [], 6: ['2606:4700::1'] }, [['2606:4700::1', 6]]],
  ])('finds %s', async (_what, answers, expected) => {
    const resolver = resolverOf(answers);

    expect(await ask(resolver, true)).toEqual(
      expected.map(([address, family]) => ({ address, family })),
    );
    expect(await ask(resolver, false)).toBe(expected[0]?.[0]);
  });

  it('fails as the resolver does', async () => {
    expect(await ask(resolverOf({}), true)).toMatchObject({ code: 'ENODATA' });
  });

  it('gives up on a silent name server without blocking a thread', async () => {
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.close();
    });
    const resolver = new Resolver({ timeout: 20, tries: 1 });
    resolver.setServers([`127.0.0.1:${silent.address().port}`]);

    expect(await ask(resolver, true)).toMatchObject({ code: 'ETIMEOUT' });
  });
});
