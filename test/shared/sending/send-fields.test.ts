import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutDisplayName } from '#shared/sending/send-fields';

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
