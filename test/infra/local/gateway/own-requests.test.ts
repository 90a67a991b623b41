import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../infra/local/gateway/own-requests.ts';

const own = '127.0.0.1:3000';
const statusOf = (...request: Parameters<typeof refusalOf>) => refusalOf(...request)?.status;

describe('a request with a foreign Host header (DNS rebinding)', () => {
  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'localhost@evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '192.168.0.1:3000',
    '',
    undefined,
  ])('gets no page: %s', (host) => {
    const paths = ['/', '/_local/emails/1', '/_local/provider-events', '/console', '/docs/tasks'];

    expect(paths.map((path) => statusOf('GET', path, { host }))).toEqual(paths.map(() => 421));
  });

  it.each(['/api/v1/emails/send', '/resend/emails', '/postmark/email'])(
    'is answered at %s, which requires a key',
    (path) => {
      expect(statusOf('POST', path, { host: 'host.docker.internal:3000' })).toBeUndefined();
    },
  );
});

it.each([
  'localhost',
  'LOCALHOST:3000',
  'links.localhost',
  'links.localhost.:80',
  own,
  '[::1]:3000',
])('a request to %s is answered', (host) => {
  expect(statusOf('GET', '/', { host })).toBeUndefined();
  expect(statusOf('POST', '/_local/ses', { host })).toBeUndefined();
});

describe('a page of another site', () => {
  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000' },
    { origin: 'http://127.0.0.1:3001' },
    { origin: 'https://127.0.0.1:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('changes nothing under /_local, and gets no console: %j', (headers) => {
    const requests = [
      ['POST', '/_local/provider-events'],
      ['POST', '/_local/ses'],
      ['DELETE', '/_local/dns'],
      ['GET', '/_local/console'],
      ['GET', '/_local/sign-in/admin'],
    ] as const;

    const statuses = requests.map(([method, path]) =>
      statusOf(method, path, { host: own, ...headers }),
    );

    expect(statuses).toEqual(requests.map(() => 403));
  });

  it('may link to read-only pages', () => {
    const headers = { host: own, 'sec-fetch-site': 'cross-site' };

    expect(statusOf('GET', '/', headers)).toBeUndefined();
    expect(statusOf('GET', '/_local/emails/1', headers)).toBeUndefined();
  });
});

it.each([
  {},
  { origin: `http://${own}` },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
])("programs and the twin's own pages may change local state: %j", (headers) => {
  expect(statusOf('POST', '/_local/ses', { host: own, ...headers })).toBeUndefined();
});
