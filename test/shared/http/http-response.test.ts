import { expect, it } from 'vitest';
import { jsonResponse, pixelResponse, redirectResponse } from '#shared/http/http-response';

it('answers JSON, with further headers', () => {
  expect(jsonResponse({ id: 1 }, { ETag: '"1"' })).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', ETag: '"1"' },
    body: '{"id":1}',
  });
});

it('redirects without telling the place where the link was', () => {
  expect(redirectResponse('https://example.com/')).toEqual({
    statusCode: 302,
    headers: { Location: 'https://example.com/', 'Referrer-Policy': 'no-referrer' },
    body: '',
  });
});

it('keeps the pixel out of every cache, so that each open is counted', () => {
  expect(pixelResponse.headers).toEqual({
    'Content-Type': 'image/gif',
    'Cache-Control': 'no-store, max-age=0',
  });
  expect(pixelResponse.isBase64Encoded).toBe(true);
  expect(`${Buffer.from(pixelResponse.body, 'base64').subarray(0, 6)}`).toBe('GIF89a');
});
