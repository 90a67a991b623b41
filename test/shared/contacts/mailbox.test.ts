import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import {
  mailboxOf,
  parseMailbox,
  readableMailbox,
  withoutDisplayName,
} from '#shared/contacts/mailbox';
import { organizationName } from '#shared/organizations/organization-fields';
import { buildEmailAddress } from '../../support/email-address-builder.ts';

const address = 'hello@mail.example.com';

describe('a mailbox', () => {
  it.each([
    [undefined, address],
    ['Example Ltd', `"Example Ltd" <${address}>`],
    ['Lee, Ann (sales) <x@y>', `"Lee, Ann (sales) <x@y>" <${address}>`],
    ['The "E" \\ Co', String.raw`"The \"E\" \\ Co" <${address}>`],
    ['Größe', `=?UTF-8?B?R3LDtsOfZQ==?= <${address}>`],
    ['=?UTF-8?B?QW5u?=', `=?UTF-8?B?PT9VVEYtOD9CP1FXNXU/PQ==?= <${address}>`],
  ])('of the name %j is %s', (name, expected) => {
    expect(mailboxOf(name, address)).toBe(expected);
  });

  it('has ASCII only, and no encoded word of more than 75 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), (name) => {
        const mailbox = mailboxOf(name.replaceAll(/\p{Cc}/gu, '.'), address);

        expect(mailbox).toMatch(/^[ -~]+$/);
        const words = mailbox.match(/=\?UTF-8\?B\?[^?]*\?=/g) ?? [];
        expect(words.filter((word) => word.length > 75)).toEqual([]);
      }),
    );
  });

  it('is read back as the name that was given, by a mail parser', async () => {
    const anyName = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
      .filter((name) => organizationName.safeParse(name).success && !name.includes('  '));
    await fc.assert(
      fc.asyncProperty(anyName, async (name) => {
        const { from } = await simpleParser(`From: ${mailboxOf(name, address)}\r\n\r\n`);

        expect(from?.value).toEqual([{ name, address }]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('withoutDisplayName', () => {
  it.each([
    'Ann <ann@example.com>',
    'Ann Lee<ann@example.com>',
    '  Ann  <ann@example.com> ',
    '<ann@example.com>',
    '"Lee, Ann" <ann@example.com>',
    '"Ann \\"Boss\\" <x@y.z>" <ann@example.com>',
    'Jürgen Müller (Sales) <ann@example.com>',
  ])('takes the address out of %j', (text) => {
    expect(withoutDisplayName(text)).toBe('ann@example.com');
  });

  it.each([
    'ann@example.com',
    'bob@example.com, Ann <ann@example.com>',
    'Bob <bob@example.com>, Ann <ann@example.com>',
    'Ann <ann@example.com> (work)',
    'Ann <ann@example.com',
    'Ann ann@example.com>',
    'bob@example.com <ann@example.com>',
    '"Ann <ann@example.com>',
    'Ann\r\nBcc: eve <ann@example.com>',
    '"Ann\n" <ann@example.com>',
    '',
  ])('leaves %j as it is', (text) => {
    expect(withoutDisplayName(text)).toBe(text);
  });

  it('finds the address behind any name in quotes', () => {
    const name = fc.string().filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text));

    fc.assert(
      fc.property(name, (text) => {
        const quoted = text.replaceAll(/["\\]/g, '\\$&');

        expect(withoutDisplayName(`"${quoted}" <ann@example.com>`)).toBe('ann@example.com');
      }),
    );
  });
});

describe('a mailbox that a request names', () => {
  it('is read back from what people see of it', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
      .map((text) => text.trim())
      .filter(
        (text) => text !== '' && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text),
      );
    fc.assert(
      fc.property(name, (text) => {
        const mailbox = { name: text, address: buildEmailAddress('ann@example.com') };

        expect(parseMailbox(readableMailbox(mailbox))).toEqual({ ok: true, value: mailbox });
      }),
    );
  });

  it('has no name in a bare address', () => {
    expect(parseMailbox(' ann@Example.com ')).toMatchObject({
      ok: true,
      value: { name: undefined, address: { address: 'ann@example.com' } },
    });
  });

  it.each([
    'Eve\r\nBcc: x@example.com <eve@example.com>',
    'a@example.com, b@example.com',
    `${'x'.repeat(101)} <ann@example.com>`,
    'moc.elpmaxe@nna\u202e <eve@example.com>',
    '\ud800 <ann@example.com>',
  ])('is refused as %j', (text) => {
    expect(parseMailbox(text)).toMatchObject({ ok: false });
  });
});
