import { createHash } from 'node:crypto';
import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import { pageResponse, previewHeadersFor, previewResponse } from '#shared/http/page-response';
import { pageSamples } from '../pages/page-samples.ts';

const policyOf = (page: string): string =>
  pageResponse(200, page).headers['Content-Security-Policy'] ?? '';

describe('pageResponse', () => {
  it('answers the page under the status', () => {
    const response = pageResponse(404, '<!doctype html>');

    expect(response).toMatchObject({ statusCode: 404, body: '<!doctype html>' });
  });

  it('sends headers that keep the link to the person who has it, and no cookie', () => {
    const { headers } = pageResponse(200, '');

    expect(headers).toEqual({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': expect.any(String),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    });
  });

  it('allows its own forms and the empty icon, nothing else beside the style', () => {
    const directives = policyOf('')
      .split('; ')
      .filter((part) => !part.startsWith('style-src'));

    expect(directives).toEqual([
      "default-src 'none'",
      'img-src data:',
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it.each(Object.entries(pageSamples))('names the style of the page %s by its hash', (_, page) => {
    const style = load(page)('style');

    const hash = createHash('sha256').update(style.text()).digest('base64');

    expect(style).toHaveLength(1);
    expect(policyOf(page)).toContain(`style-src 'sha256-${hash}';`);
  });
});

it('gives the HTML of others no script, no form, no origin and no way out of its frame', () => {
  const { statusCode, headers, body } = previewResponse(200, '<script>alert(1)</script>');

  expect([statusCode, body]).toEqual([200, '<script>alert(1)</script>']);
  const policy = headers['Content-Security-Policy']?.split('; ') ?? [];
  expect(policy).toEqual(
    expect.arrayContaining([
      // Without one word behind it: every one allows something.
      'sandbox',
      "default-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ]),
  );
  expect(policy.filter((directive) => /script/.test(directive))).toEqual([]);
  expect(headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
});

describe('previewHeadersFor', () => {
  it('looks up no host of what it must not load', () => {
    const headers = [true, false].map((loadsRemote) => previewHeadersFor({ loadsRemote }));

    expect(headers.map((one) => one['X-DNS-Prefetch-Control'])).toEqual([undefined, 'off']);
    expect(headers[1]?.['Content-Security-Policy']).not.toContain('https:');
  });
});
