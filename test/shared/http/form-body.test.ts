import { describe, expect, it } from 'vitest';
import { readFields } from '#shared/http/form-body';
import { serviceErrorOf } from '../../support/service-error.ts';

const read = async (
  body: string | undefined,
  contentType: string | undefined,
  isBase64Encoded = false,
) => {
  const headers = { 'content-type': contentType };
  return Object.fromEntries(await readFields({ body, isBase64Encoded, headers }));
};

const multipart = [
  '--line',
  'Content-Disposition: form-data; name="List-Unsubscribe"',
  '',
  'One-Click',
  '--line--',
  '',
].join('\r\n');

describe('readFields', () => {
  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['application/x-www-form-urlencoded; charset=UTF-8', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data; boundary=line', multipart],
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['Application/JSON; charset=utf-8', '{"List-Unsubscribe":"One-Click"}'],
  ])('reads %s', async (contentType, body) => {
    expect(await read(body, contentType)).toEqual({ 'List-Unsubscribe': 'One-Click' });
  });

  it('decodes a body that the front door encoded in base64', async () => {
    const body = Buffer.from('email=ann%40example.com').toString('base64');

    expect(await read(body, 'application/x-www-form-urlencoded', true)).toEqual({
      email: 'ann@example.com',
    });
  });

  it('keeps every value of a field', async () => {
    const fields = await readFields({
      body: 'c=a&c=b',
      isBase64Encoded: false,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

    expect(fields.getAll('c')).toEqual(['a', 'b']);
  });

  it('takes text for a field and nothing else', async () => {
    const body = '{"token":1,"email":["ann@example.com"],"organizationId":null,"ok":"1"}';

    expect(await read(body, 'application/json')).toEqual({ ok: '1' });
  });

  it.each([
    ['no body', undefined, 'application/json'],
    ['no content type', 'token=1', undefined],
    ['another content type', 'token=1', 'text/plain'],
    ['JSON that is no object', '7', 'application/json'],
    ['JSON null', 'null', 'application/json'],
  ])('has no fields for %s', async (_what, body, contentType) => {
    expect(await read(body, contentType)).toEqual({});
  });

  it.each([
    ['JSON', '{"token":', 'application/json'],
    ['a multipart form', 'no boundary here', 'multipart/form-data; boundary=line'],
    ['a multipart form without a boundary', multipart, 'multipart/form-data'],
  ])('refuses %s that is malformed', async (_what, body, contentType) => {
    const error = await serviceErrorOf(() => read(body, contentType));

    expect(error.code).toBe('malformed_body');
  });
});
