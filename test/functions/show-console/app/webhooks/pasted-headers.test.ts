import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { pastedHeaders } from '../../../../../functions/show-console/app/webhooks/pasted-headers.ts';

const secret = `whsec_${Buffer.from('a'.repeat(24)).toString('base64')}`;
const payload = '{"type":"webhook.test"}';

/** The headers of a message as the public library signs it. */
function signedHeaders(id = 'msg_1'): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(secret).sign(id, at, payload),
  };
}

const forms: Readonly<Record<string, (headers: Record<string, string>) => string>> = {
  'as lines': (headers) => lines(headers, ([name, value]) => `${name}: ${value}`),
  'as curl prints them': (headers) =>
    `> POST /hook HTTP/1.1\n${lines(headers, ([name, value]) => `> ${name}: ${value}`)}\n>`,
  'with the line ends of HTTP': (headers) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}:${value}\r\n`)
      .join(''),
  'as JSON': (headers) => JSON.stringify(headers, undefined, 2),
  'as an object of JavaScript is printed': (headers) =>
    `{\n${lines(headers, ([name, value]) => `  '${name}': '${value}',`)}\n}`,
  'among others': (headers) =>
    `Host: example.com:4000\n${lines(headers, ([name, value]) => `${name}: ${value}`)}\nAccept: */*`,
};

const lines = (headers: Record<string, string>, line: (pair: [string, string]) => string) =>
  Object.entries(headers).map(line).join('\n');

describe('pastedHeaders', () => {
  it.each(Object.keys(forms))('reads what the public library verifies, %s', (form) => {
    const text = forms[form]?.(signedHeaders()) ?? '';

    const headers = pastedHeaders(text) ?? {};

    expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload));
  });

  it.each(['', '\n', 'nothing here', '[]', '{}', 'null', '"webhook-id"'])(
    'finds no header in %j',
    (text) => {
      expect(pastedHeaders(text)).toBeUndefined();
    },
  );

  it('reads any text without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const value of Object.values(pastedHeaders(text) ?? {})) {
          expect(typeof value).toBe('string');
        }
      }),
    );
  });

  it('keeps the value of any header printed as a line', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w+/=,. -]*[\w+/=.-]$/), (typed) => {
        const value = typed.trim();

        expect(pastedHeaders(`webhook-id: ${value}`)).toEqual({ 'webhook-id': value });
      }),
    );
  });
});
