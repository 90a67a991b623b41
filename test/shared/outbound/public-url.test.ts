import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { checkPublicUrl, isLoopbackAddress, isPublicAddress } from '#shared/outbound/public-url';
import { privateHosts } from './private-hosts.ts';

const deployed = { allowLoopbackHttp: false };
const local = { allowLoopbackHttp: true };

const reasonFor = (url: string, policy = deployed): string | undefined => {
  const result = checkPublicUrl(url, policy);
  return result.ok ? undefined : result.reason;
};

const privateHost = 'must not lead to a private, loopback or reserved address';

describe('checkPublicUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?tenant=1&key=a%20b',
    'https://hooks.example.co.uk:443/',
    'https://example.com:8443/hooks',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://example.com./hooks',
    'https://xn--bcher-kva.example.com/',
    'https://bücher.example.com/',
    'https://8.8.8.8/hooks',
    'https://[2606:4700::1111]/hooks',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://127.0.0.1.example.com/',
  ])('takes %s', (url) => {
    expect(reasonFor(url)).toBeUndefined();
    expect(reasonFor(url, local)).toBeUndefined();
  });

  it.each(privateHosts)('refuses hosts that are %s', (_what, hosts) => {
    const reasons = hosts.map((host) => [host, reasonFor(`https://${host}/hooks`)]);

    expect(reasons).toEqual(hosts.map((host) => [host, privateHost]));
  });

  it.each(privateHosts)('refuses them on a high port too: %s', (_what, hosts) => {
    const reasons = hosts.map((host) => reasonFor(`https://${host}:8443/hooks`));

    expect(new Set(reasons)).toEqual(new Set([privateHost]));
  });

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'data:text/plain,hello',
    'javascript:alert(1)',
    'ws://example.com/',
    'blob:https://example.com/1',
    'http://127.0.0.1/',
    'http://localhost:3000/',
  ])('refuses the scheme of %s', (url) => {
    expect(reasonFor(url)).toBe('must begin with https://');
  });

  it.each([
    'https://user:password@example.com/',
    'https://user@example.com/',
    'https://:password@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com%40evil@localhost/',
  ])('refuses the credentials in %s', (url) => {
    expect(reasonFor(url)).toBe('must not contain credentials');
  });

  it.each([0, 22, 25, 80, 465, 587, 993, 1_023])('refuses the well-known port %d', (port) => {
    expect(reasonFor(`https://example.com:${port}/`)).toBe(
      'must use port 443, or one from 1024 up',
    );
  });

  it('refuses a fragment, which no request carries', () => {
    expect(reasonFor('https://example.com/#top')).toBe('must not have a fragment');
  });

  it.each([
    '',
    'example.com',
    '/hooks',
    'https://',
    'https://exa mple.com/',
    'https://example.com:65536/',
    'https://256.256.256.256/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://%00.example.com/',
  ])('refuses %j, which is no URL', (url) => {
    expect(reasonFor(url)).toBe('must be a URL such as https://example.com/path');
  });
});

describe('in the local twin', () => {
  it.each([
    'http://127.0.0.1:4000/hooks',
    'http://127.8.9.10/',
    'http://localhost:4000/hooks',
    'http://[::1]:4000/',
    'http://2130706433:4000/',
  ])('takes %s, a receiver on this machine', (url) => {
    expect(reasonFor(url, local)).toBeUndefined();
  });

  it.each([
    'http://example.com/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0.0.0.0:4000/',
    'http://[::ffff:127.0.0.1]:4000/',
    'http://app.localhost:4000/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
  ])('refuses %s, because it allows http to loopback only', (url) => {
    expect(reasonFor(url, local)).toBe('must begin with https://');
  });

  it.each(['https://127.0.0.1/', 'https://localhost/', 'https://192.168.0.1/'])(
    'refuses %s, like a deployed service',
    (url) => {
      expect(reasonFor(url, local)).toBe(privateHost);
    },
  );

  it('refuses credentials on loopback too', () => {
    expect(reasonFor('http://user@127.0.0.1:4000/', local)).toBe('must not contain credentials');
  });
});

/** Values at the edges of special ranges, among any others. */
const near = (most: number, edges: readonly number[]) =>
  fc.oneof(fc.nat(most), fc.constantFrom(...edges));

const octet = (...edges: readonly number[]) => near(0xff, edges);
const ipv4 = fc
  .tuple(
    octet(0, 10, 100, 127, 169, 172, 192, 198, 203, 223, 224, 239, 240, 255),
    octet(0, 15, 16, 18, 19, 20, 31, 32, 51, 52, 63, 64, 88, 127, 128, 168, 175, 254),
    octet(0, 1, 2, 3, 48, 49, 99, 100, 113, 193, 196),
    octet(0, 255),
  )
  .map((octets) => octets.join('.'));

const group = (...edges: readonly number[]) => near(0xffff, edges);
const ipv6 = fc
  .tuple(
    group(0, 0x64, 0x100, 0x1fff, 0x2000, 0x2001, 0x2002, 0x2606, 0x2620, 0x3ffe, 0x3fff, 0x4000),
    group(0, 2, 3, 4, 0x10, 0x20, 0x30, 0x4f, 0xff, 0x1ff, 0x200, 0xdb8, 0xdb9, 0xfff, 0x1000),
    group(0, 0x112, 0x8000, 0x8001),
    ...[group(0), group(0), group(0, 0xffff), group(0, 0x7f00), group(0, 1)],
  )
  .map((groups) => groups.map((value) => value.toString(16)).join(':'));

describe('an address', () => {
  it('is public if ipaddr.js says so, in any part of the internet', () => {
    const isPublic = (text: string): boolean => {
      const address = ipaddr.parse(text);
      const isGlobal =
        address.kind() === 'ipv4' || address.match(ipaddr.IPv6.parseCIDR('2000::/3'));
      return isGlobal && address.range() === 'unicast';
    };

    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), (text) => {
        expect([text, isPublicAddress(text)]).toEqual([text, isPublic(text)]);
        expect(isLoopbackAddress(text)).toBe(ipaddr.parse(text).range() === 'loopback');
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['', 'example.com', '8.8.8', '2606:4700::1111%eth0', '8.8.8.8/32', ' 8.8.8.8'])(
    'is not %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
