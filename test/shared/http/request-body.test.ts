import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { organizationLimits } from '#shared/config/organization-limits';
import { findJsonFault, readCsv, readFields, readJson } from '#shared/http/request-body';
import { resourceKey } from '#shared/organizations/organization-fields';
import { preferencesFields } from '#shared/pages/preferences-form';
import { serviceErrorOf } from '../../support/service-error.ts';

const headers = { 'content-type': 'application/json' };

async function refusal(body: string | undefined): Promise<string> {
  const { code, message } = await serviceErrorOf(() =>
    readJson({ body, isBase64Encoded: false, headers }),
  );
  expect(code).toBe('malformed_json');
  return message;
}

describe('a JSON body', () => {
  it.each([undefined, '', ' \r\n'])('that is %j is said to be empty', async (body) => {
    expect(await refusal(body)).toBe('The body is empty. Send the fields as a JSON object.');
  });

  it.each([
    ['{"to": "ann@example.com",}', 'line 1, column 26'],
    ['{\n  "to": "ann@example.com"\n  "subject": "Hi"\n}', 'line 3, column 3'],
    ["{'to': 1}", 'line 1, column 2'],
    ['{"to": ann}', 'line 1, column 8'],
    ['[1, 2,]', 'line 1, column 7'],
    ['{"a": "x\ny"}', 'line 1, column 9'],
    ['{"a": "\\x"}', 'line 1, column 8'],
    ['["\\u12g4"]', 'line 1, column 3'],
    ['{"a": 01}', 'line 1, column 8'],
    ['{"a": 1}}', 'line 1, column 9'],
    ['[1}', 'line 1, column 3'],
    ['to=ann', 'line 1, column 1'],
  ])('%j is at fault at %s', async (body, place) => {
    expect(await refusal(body)).toBe(`The body is not valid JSON: ${place}.`);
  });

  it.each(['{"to": "ann', '{"to": 1', '[', '{"a":'])('%j ends too early', async (body) => {
    const place = `it ends too early, at line 1, column ${body.length + 1}.`;

    expect(await refusal(body)).toBe(`The body is not valid JSON: ${place}`);
  });

  it('of which nothing is repeated may hold a secret', async () => {
    expect(await refusal('{"key": esk_secret}')).not.toContain('secret');
  });

  it.each([
    '{"__proto__": {}}',
    String.raw`{"\u005f_proto__": 1}`,
    '[[{"a": {"__proto__": null}}]]',
    '{"constructor": {"prototype": 1}}',
    String.raw`{"a": [{"c\u006fnstructor": {"prot\u006ftype": {}}}]}`,
  ])('with a prototype is refused for that: %s', async (body) => {
    expect(await refusal(body)).toContain('__proto__');
  });

  it('may have a constructor that is data', () => {
    const body = '{"constructor": "Smith", "a": {"constructor": {"name": "x"}}, "prototype": 1}';

    expect(readJson({ body, isBase64Encoded: false, headers })).toEqual(JSON.parse(body));
  });

  it.each([1_001, 3_000, 50_000])('with %i levels is refused for that', async (levels) => {
    const body = '['.repeat(levels) + ']'.repeat(levels);

    expect(await refusal(body)).toBe('The body nests deeper than 1000 levels.');
  });
});

describe('the parts of a JSON body', () => {
  const most = 100_000;
  const read = (body: string) => readJson({ body, isBase64Encoded: false, headers });
  const list = (entry: string, times: number) => `[${Array(times).fill(entry).join()}]`;
  const fields = (times: number) =>
    `{${Array.from({ length: times }, (_, place) => `"f${place}":${place}`).join()}}`;

  it.each([
    ['names', fields(most)],
    ['texts', list('""', most)],
    ['texts that end in a backslash', list(String.raw`"\\"`, most)],
    ['lists', list('[]', most)],
    ['objects', list('{}', most)],
    ['brackets that nothing closes', '['.repeat(most + 1)],
  ])('are at most 100,000: %s', async (_what, body) => {
    expect(await refusal(body)).toBe(
      'The body has more than 100000 names, texts, lists and objects.',
    );
  });

  it('are not looked for in a text', () => {
    const text = '{"a":1},[\\"'.repeat(most);

    expect(read(JSON.stringify({ text }))).toEqual({ text });
  });

  it('are no numbers, as a list of which a file may come', () => {
    const bytes = Array.from({ length: 2 * most }, (_, place) => place % 256);

    expect(read(JSON.stringify({ bytes }))).toEqual({ bytes });
  });

  it('may be exactly as many', () => {
    const body = fields(most - 1);

    expect(read(body)).toEqual(JSON.parse(body));
  });
});

describe('findJsonFault', () => {
  const mangled = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '0', '\\', '\n', '-'))
    .map(([text, place, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(piece === '' ? at + 1 : at);
    });

  function isJson(text: string): boolean {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  }

  it('finds a fault exactly in what the parser refuses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), mangled), (text) => {
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads megabytes of escapes and of brackets', () => {
    expect(findJsonFault(`"${'\\n'.repeat(1_000_000)}`)).toBe(2_000_001);
    expect(findJsonFault('['.repeat(1_000_000))).toBe(1_000_000);
  });
});

const readFile = (contentType: string | undefined, body = 'YQ==', isBase64Encoded = true) =>
  readCsv({ body, isBase64Encoded, headers: { 'content-type': contentType } });

describe('a body of CSV', () => {
  it.each(['text/csv', 'Text/CSV; charset=utf-8', 'application/octet-stream'])(
    'is taken as %s',
    (contentType) => {
      expect(readFile(contentType)).toBe('a');
      expect(readFile(contentType, 'a', false)).toBe('a');
    },
  );

  it.each([undefined, '', 'text/plain', 'application/json', 'multipart/form-data', 'text/csvx'])(
    'is not taken as %s, which a form of another site could send',
    async (contentType) => {
      expect((await serviceErrorOf(() => readFile(contentType))).code).toBe(
        'unsupported_content_type',
      );
    },
  );
});

const form = 'application/x-www-form-urlencoded';
const readForm = (
  body: string | undefined,
  contentType: string | undefined,
  isBase64Encoded = false,
  ...most: readonly number[]
) => readFields({ body, isBase64Encoded, headers: { 'content-type': contentType } }, ...most);
const read = async (...request: Parameters<typeof readForm>) =>
  Object.fromEntries(await readForm(...request));

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
    [form, 'List-Unsubscribe=One-Click'],
    ['application/x-www-form-urlencoded; charset=UTF-8', 'List-Unsubscribe=One-Click'],
    ['multipart/form-data; boundary=line', multipart],
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['Application/JSON; charset=utf-8', '{"List-Unsubscribe":"One-Click"}'],
  ])('reads %s', async (contentType, body) => {
    expect(await read(body, contentType)).toEqual({ 'List-Unsubscribe': 'One-Click' });
  });

  it('decodes a body that the front door encoded in base64', async () => {
    const body = Buffer.from('email=ann%40example.com').toString('base64');

    expect(await read(body, form, true)).toEqual({ email: 'ann@example.com' });
  });

  it('keeps every value of a field', async () => {
    expect((await readForm('c=a&c=b', form)).getAll('c')).toEqual(['a', 'b']);
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

  it.each([
    ['a form', `${'a&'.repeat(50_000)}`, form, false],
    ['JSON', JSON.stringify({ token: 'a'.repeat(100_000) }), 'application/json', false],
    [
      'a form in base64',
      Buffer.from('é='.repeat(50_000)).toString('base64'),
      'multipart/form-data',
      true,
    ],
  ])(
    'refuses %s larger than any page’s, before it is parsed',
    async (_what, body, contentType, isBase64) => {
      const error = await serviceErrorOf(() => read(body, contentType, isBase64));

      expect(error.code).toBe('too_large');
    },
  );

  it('takes as much as its caller asks for', async () => {
    const text = 'a'.repeat(100_000);

    expect((await readForm(`c=${text}`, form, false, 200_000)).get('c')).toBe(text);
  });

  it.each([
    [form, new URLSearchParams()],
    ['multipart/form-data', new FormData()],
  ])('takes every category that an organization may have as %s', async (_type, filled) => {
    const { most } = organizationLimits.categories;
    for (let index = 0; index < most; index += 1) {
      const key = resourceKey.parse(`${index}`.padEnd(64, 'x'));
      filled.append(preferencesFields.shown, key);
      filled.append(preferencesFields.category, key);
    }
    const request = new Response(filled);

    const fields = await readForm(
      await request.text(),
      request.headers.get('content-type') ?? undefined,
    );

    expect(fields.getAll(preferencesFields.category)).toHaveLength(most);
  });
});
