import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '#shared/http/json-body';
import { findJsonFault } from '#shared/http/json-fault';
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

  it('with a prototype is refused for that', async () => {
    expect(await refusal('{"__proto__": {}}')).toContain('__proto__');
  });
});

describe('findJsonFault', () => {
  const mangled = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '0', '\\', '\n', '-'))
    .map(([text, place, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(piece === '' ? at + 1 : at);
    });

  /** Where `JSON.parse` sees the fault: `true` if it sees one but not where. */
  function parserFault(text: string): number | boolean {
    try {
      JSON.parse(text);
      return false;
    } catch (error) {
      const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
      return position === undefined || Number(position);
    }
  }

  it('finds a fault exactly where the parser does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), mangled), (text) => {
        const expected = parserFault(text);
        const found = findJsonFault(text);
        if (expected === false) expect(found).toBeUndefined();
        else expect(found).toEqual(expect.any(Number));
      }),
      { numRuns: 5_000 },
    );
  });

  it('reads megabytes of escapes and of brackets', () => {
    expect(findJsonFault(`"${'\\n'.repeat(2_000_000)}`)).toBe(4_000_001);
    expect(findJsonFault('['.repeat(2_000_000))).toBe(2_000_000);
  });
});
