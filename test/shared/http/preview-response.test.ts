import { expect, it } from 'vitest';
import { previewResponse } from '#shared/http/preview-response';

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
