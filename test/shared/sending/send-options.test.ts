import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { optionFields, tagFilter } from '#shared/sending/request/send-fields';
import { hasTag, optionsOf } from '#shared/sending/send-options';
import { givenOptions } from '../../support/option-examples.ts';

const schema = z.strictObject(optionFields);
const faultsOf = (options: object): string[] =>
  z
    .safeParse(schema, options)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const nested = (levels: number) => ({
  a: JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`),
});

describe('the options of a send', () => {
  it('are accepted, with addresses normalized', () => {
    const given = {
      ...givenOptions,
      replyTo: ['Help <help@Example.com>', 'ben@example.org', 'Jürgen <j@example.com>'],
      headers: { 'X-Entity-Ref-ID': '42', 'In-Reply-To': '<one@example.com>' },
      tags: { kind: 'reset', 'app_1-a': 'B' },
      metadata: { user: { id: 7, roles: ['admin', null] } },
      tracking: { opens: false },
    };

    expect(z.parse(schema, given)).toEqual({
      ...given,
      replyTo: ['Help <help@example.com>', 'ben@example.org', 'Jürgen <j@example.com>'],
    });
    expect(z.parse(schema, { replyTo: 'help@example.com' })).toEqual({
      replyTo: ['help@example.com'],
    });
  });

  it.each([
    ['From', /set by the service/],
    ['bcc', /set by the service/],
    ['Message-ID', /set by the service/],
    ['DKIM-Signature', /set by the service/],
    ['DKIM-Filter', /set by the service/],
    ['DomainKey-Signature', /set by the service/],
    ['Authentication-Results', /set by the service/],
    ['ARC-Seal', /set by the service/],
    ['Received', /set by the service/],
    ['Received-SPF', /set by the service/],
    ['Resent-From', /set by the service/],
    ['Return-Path', /set by the service/],
    ['Feedback-ID', /set by the service/],
    ['Content-Type', /set by the service/],
    ['MIME-Version', /set by the service/],
    ['X-SES-CONFIGURATION-SET', /set by the service/],
    ['Reply-To', /replyTo/],
    ['X Y', /name of 1 to 126/],
    ['X:Y', /name of 1 to 126/],
    ['X-Ä', /name of 1 to 126/],
    ['X\r\nBcc', /name of 1 to 126/],
    ['', /name of 1 to 126/],
  ])('reject the header %j by its name', (name, message) => {
    expect(faultsOf({ headers: { [name]: 'v' } })).toEqual([
      expect.stringMatching(
        new RegExp(`^headers.${RegExp.escape(name)}: .*${message.source}`, 's'),
      ),
    ]);
  });

  it.each(['a\r\nBcc: eve@example.com', 'a\nb', 'ä', '', '\u0000', 'x'.repeat(871)])(
    'reject the header value %j',
    (value) => {
      expect(faultsOf({ headers: { 'X-A': value } })).toEqual([
        expect.stringMatching(/^headers.X-A: must be 1 to 870 printable ASCII/),
      ]);
    },
  );

  it('reject a header that differs from another only by case, and one too many', () => {
    expect(faultsOf({ headers: { 'X-A': '1', 'x-a': '2' } })).toEqual([
      'headers.x-a: is given twice',
    ]);
    const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`X-${at}`, 'v']));
    expect(faultsOf({ headers: many })).toEqual([expect.stringMatching(/^headers: .* 13 headers/)]);
  });

  it.each([
    [{ tags: { 'a b': 'c' } }, /^tags.a b: the name must be 1 to 256/],
    [{ tags: { '': 'c' } }, /^tags.: the name must be 1 to 256/],
    [{ tags: { a: 'ä' } }, /^tags.a: must be 1 to 256/],
    [{ tags: { a: '' } }, /^tags.a/],
    [
      { tags: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`t${at}`, 'v'])) },
      /^tags: .* 10 tags/,
    ],
    [{ metadata: { text: 'ä'.repeat(1_024) } }, /^metadata: .*2048 bytes/],
    [{ tags: [{ name: 'kind', value: 'reset' }] }, /^tags: .*such as {"kind": "reset"}/],
    [{ metadata: ['a'] }, /^metadata/],
    [{ metadata: { a: { '': 1 } } }, /^metadata.a: must not have a field without a name/],
    [{ metadata: { a: [{ constructor: 'b' }] } }, /^metadata.a.0: .* field named constructor/],
    [{ metadata: { a: ['\ud800'] } }, /^metadata.a.0: must be well-formed/],
    [{ metadata: { '\ud800': 1 } }, /^metadata: must be well-formed/],
    [{ metadata: { a: 2 ** 53 } }, /^metadata.a: must be at most 9007199254740991/],
    [{ metadata: { a: Number.POSITIVE_INFINITY } }, /^metadata.a: must be at most/],
    [{ metadata: { a: 1e-131 } }, /^metadata.a: .* at least 1e-130/],
    [{ metadata: nested(31) }, /^metadata: must not nest deeper than 30 levels/],
    [{ metadata: nested(200) }, /^metadata: must not nest deeper than 30 levels/],
    [{ headers: { constructor: 'a' } }, /^headers.constructor: is a name that no header/],
    [{ tags: { constructor: 'a' } }, /^tags: must not have a tag named constructor/],
    [{ tracking: { links: false } }, /^tracking|^: /],
    [{ replyTo: [] }, /^replyTo/],
    [{ replyTo: Array.from({ length: 11 }, () => 'a@example.com') }, /^replyTo: .*10/],
    [{ replyTo: ['a@example.com', 'Eve\r\nBcc: x <eve@example.com>'] }, /^replyTo.1/],
  ])('reject %j at its path', (options, fault) => {
    expect(faultsOf(options)).toEqual([expect.stringMatching(fault)]);
  });

  it('are picked from a request, which has more', () => {
    const options = { tags: { a: 'b' }, tracking: { clicks: false } };

    expect(optionsOf({ ...options, metadata: undefined, ...{ subject: 'Hi' } })).toEqual(options);
  });
});

describe('a filter by tag', () => {
  it('finds exactly the sends that have it', () => {
    const text = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/);
    fc.assert(
      fc.property(text, text, fc.dictionary(text, text), (name, value, tags) => {
        const tag = z.parse(tagFilter, `${name}:${value}`);

        expect(hasTag({ tags: { ...tags, [name]: value } }, tag)).toBe(true);
        expect(hasTag({ tags }, tag)).toBe(
          Object.entries(tags).some(([a, b]) => a === name && b === value),
        );
        expect(hasTag({}, tag)).toBe(false);
      }),
    );
  });

  it.each(['kind', 'kind:', ':reset', 'a:b:c', 'a b:c'])("can't be %j", (text) => {
    expect(z.safeParse(tagFilter, text).success).toBe(false);
  });
});
