import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { describe, expect, it } from 'vitest';
import { mailboxOf } from '#shared/email/mailbox';
import { organizationName } from '#shared/organizations/organization-fields';

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
