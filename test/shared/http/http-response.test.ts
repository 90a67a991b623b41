import { expect, it } from 'vitest';
import {
  acceptedResponse,
  createdResponse,
  jsonResponse,
  noContentResponse,
  pixelResponse,
  redirectResponse,
} from '#shared/http/http-response';

it('answers JSON, with further headers', () => {
  const json = { 'Content-Type': 'application/json' };
  const body = '{"id":1}';

  expect(jsonResponse({ id: 1 })).toEqual({ statusCode: 200, headers: json, body });
  expect(acceptedResponse({ id: 1 })).toEqual({ statusCode: 202, headers: json, body });
  expect(createdResponse({ id: 1 }, { Location: '/1' })).toEqual({
    statusCode: 201,
    headers: { ...json, Location: '/1' },
    body,
  });
});

it('answers nothing under 204', () => {
  expect(noContentResponse).toEqual({ statusCode: 204, headers: {}, body: '' });
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
