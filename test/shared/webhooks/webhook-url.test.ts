import { describe, expect, it } from 'vitest';
import { checkWebhookUrl } from '#shared/webhooks/webhook-url';
import { privateHosts } from './private-hosts.ts';

const deployed = { allowLoopbackHttp: false };
const local = { allowLoopbackHttp: true };

const reasonFor = (url: string, policy = deployed): string | undefined => {
  const result = checkWebhookUrl(url, policy);
  return result.ok ? undefined : result.reason;
};

const privateHost = 'must not lead to a private, loopback or reserved address';

describe('checkWebhookUrl', () => {
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
    expect(reasonFor(url)).toBe('must not hold credentials');
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
    expect(reasonFor(url)).toBe('must be a URL such as https://example.com/webhooks');
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
    expect(reasonFor('http://user@127.0.0.1:4000/', local)).toBe('must not hold credentials');
  });
});
