import { describe, expect, it } from 'vitest';
import {
  type ConsoleFile,
  type ConsoleFiles,
  showConsole,
} from '../../../functions/show-console/show-console.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const file = (contentType: string, text: string): ConsoleFile => ({
  contentType,
  text,
  gzip: `gzip of ${text}`,
  br: `br of ${text}`,
});
const files: ConsoleFiles = {
  shell: file('text/html; charset=utf-8', 'shell'),
  starterHash: 'sha256-abc=',
  assets: { 'main-ABC.js': file('text/javascript; charset=utf-8', 'main') },
};

const ask = (proxy: string | undefined, acceptEncoding?: string) =>
  showConsole({ path: { proxy }, headers: { 'accept-encoding': acceptEncoding } }, files);

describe('showConsole', () => {
  it.each([undefined, '', 'emails/snd_1', 'sign-in', 'assets'])(
    'answers the page at %s, revalidated each time',
    (below) => {
      const { statusCode, headers, body } = ask(below);

      expect([statusCode, body]).toEqual([200, 'shell']);
      expect(headers).toMatchObject({
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
      });
    },
  );

  it('lets the page run its own scripts and styles only, and nothing inline but the one that loads them', () => {
    const policy = ask(undefined).headers['Content-Security-Policy'] ?? '';

    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self' 'sha256-abc='",
        "style-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('lets a file be cached forever, as its name changes with it', () => {
    const { headers, body } = ask('assets/main-ABC.js');

    expect(body).toBe('main');
    expect(headers).toMatchObject({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
    });
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['', undefined],
    ['identity', undefined],
    ['br; q=0.0, gzip;q=0', undefined],
  ])('answers Accept-Encoding %j with %s', (acceptEncoding, encoding) => {
    const response = ask('assets/main-ABC.js', acceptEncoding);

    expect(response.headers['Content-Encoding']).toBe(encoding);
    expect(response.body).toBe(encoding === undefined ? 'main' : `${encoding} of main`);
    expect(response.isBase64Encoded).toBe(encoding === undefined ? undefined : true);
  });

  it.each(['assets/main-OLD.js', 'assets/', 'assets/__proto__', 'assets/../main-ABC.js'])(
    'has no file %s',
    async (below) => {
      const error = await serviceErrorOf(() => ask(below));

      expect(error.code).toBe('endpoint_not_found');
    },
  );
});
