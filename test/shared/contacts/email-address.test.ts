import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hasControlCharacter,
  parseEmailAddress,
  recipientIdentityOf,
} from '#shared/contacts/email-address';
import { buildEmailAddress } from '../../support/email-address-builder.ts';

const isAccepted = (text: string): boolean => parseEmailAddress(text).ok;

const bareAddress = fc
  .emailAddress()
  .filter((text) => text.length <= 254 && !/=\?.*\?=/.test(text));

describe('parseEmailAddress', () => {
  it('keeps the local part as written and puts the domain in lower case', () => {
    const parsed = buildEmailAddress('Ann.Smith+Tag@Mail.EXAMPLE.com');

    expect(parsed).toEqual({
      address: 'Ann.Smith+Tag@mail.example.com',
      identity: 'ann.smith+tag@mail.example.com',
    });
  });

  it('sees one identity in every spelling of an address', () => {
    fc.assert(
      fc.property(fc.mixedCase(bareAddress), (text) => {
        expect(buildEmailAddress(text).identity).toBe(
          buildEmailAddress(text.toLowerCase()).identity,
        );
      }),
    );
  });

  it('accepts every address that RFC 5321 and RFC 1123 allow without quoting', () => {
    fc.assert(fc.property(bareAddress, (text) => isAccepted(text)));
  });

  it('changes nothing when it reads its own result', () => {
    fc.assert(
      fc.property(fc.mixedCase(bareAddress), (text) => {
        const once = buildEmailAddress(text);
        const { identity } = once;

        expect(buildEmailAddress(once.address)).toEqual(once);
        expect(buildEmailAddress(identity)).toEqual({ address: identity, identity });
      }),
    );
  });

  it('lets nothing through that could end a header line or name a second recipient', () => {
    const address = 'ann@example.com';
    const hostileCharacter = fc.oneof(fc.nat(0xff), fc.nat(0x2fff)).map(String.fromCodePoint);
    const hostileText = fc
      .tuple(fc.array(hostileCharacter, { maxLength: 3 }), fc.nat(address.length))
      .map(([noise, at]) => address.slice(0, at) + noise.join('') + address.slice(at));

    fc.assert(
      fc.property(hostileText, (text) => {
        const parsed = parseEmailAddress(text);
        return !parsed.ok || /^[\w!#-'*+./=?^`{|}~-]+@[a-z0-9.-]+$/.test(parsed.value.address);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['ann@münchen.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@MÜNCHEN.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@xn--mnchen-3ya.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ])('writes the unicode domain of %s in ASCII', (text, address) => {
    expect(buildEmailAddress(text)).toEqual({ address, identity: address });
  });

  it('knows a decomposed unicode domain for the composed one', () => {
    const composed = buildEmailAddress('ann@m\u00fcnchen.de');
    const decomposed = buildEmailAddress('ann@mu\u0308nchen.de');

    expect(decomposed).toEqual(composed);
  });

  it.each([
    '=?utf-8?Q?bob?=@example.com',
    '=?UTF-8?B?Ym9i?=@example.com',
    'b=?utf-8?Q?o?=b@example.com',
    '"bob"@example.com',
    '"b\\ob"@example.com',
    'b"o"b@example.com',
    'bob(him)@example.com',
    '(him)bob@example.com',
    'bob@example.com(his)',
    'bob @example.com',
    'bob@ example.com',
    'bob.@example.com',
    'bob@example.com.',
    'bob@example。com.',
    'ｂｏｂ@example.com',
    'b\u200bob@example.com',
    'b\u00adob@example.com',
    'bob\ufe0f@example.com',
    'bоb@example.com',
    'bob＠example.com',
    'bob@exam\u200bple.com',
    'bob@exam\u00adple.com',
    'bob@xn--example-.com',
    'bob@[example.com]',
    '@relay.example:bob@example.com',
  ])(
    'is refused as another spelling of one mailbox, which would evade its suppression: %j',
    (text) => {
      expect(isAccepted(text)).toBe(false);
    },
  );

  it.each([
    'BOB@EXAMPLE.COM',
    'bob@ｅｘａｍｐｌｅ.com',
    'bob@exam\ufe0fple.com',
    'bob@ℯxample.com',
    'bob@exa𝐦ple.ＣＯＭ',
    '\u00a0bob@example.com\u3000',
  ])('is one mailbox, so one suppression, in every spelling that is taken: %j', (text) => {
    expect(buildEmailAddress(text).identity).toBe('bob@example.com');
  });

  it('takes surrounding spaces off', () => {
    expect(buildEmailAddress('  ann@example.com ')).toEqual(buildEmailAddress('ann@example.com'));
  });

  it.each([
    ['a line break before', '\r\nann@example.com'],
    ['a line break after', 'ann@example.com\n'],
    ['a header after a line break', 'ann@example.com\r\nBcc: eve@example.com'],
    ['a NUL character', 'ann\u0000@example.com'],
    ['a tab after', 'ann@example.com\t'],
    ['a C1 control character', 'ann@example.com\u0085'],
    ['a unicode line separator', 'ann@example.com\u2028'],
  ])('refuses %s, and says that control characters are the fault', (_what, text) => {
    expect(parseEmailAddress(text)).toEqual({
      ok: false,
      reason: 'must not contain control characters or line breaks',
    });
  });

  it.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['no @', 'ann.example.com'],
    ['no local part', '@example.com'],
    ['no domain', 'ann@'],
    ['two @', 'ann@home@example.com'],
    ['a display name', 'Ann <ann@example.com>'],
    ['angle brackets', '<ann@example.com>'],
    ['a list', 'ann@example.com,bob@example.com'],
    ['a list with semicolons', 'ann@example.com;bob@example.com'],
    ['a comment', 'ann(work)@example.com'],
    ['a mailto link', 'mailto:ann@example.com'],
    ['a quoted local part', '"ann smith"@example.com'],
    ['a space in the local part', 'ann smith@example.com'],
    ['a local part that is not ASCII', 'änn@example.com'],
    ['a dot first', '.ann@example.com'],
    ['a dot last', 'ann.@example.com'],
    ['two dots', 'ann..smith@example.com'],
  ])('refuses %s', (_what, text) => {
    expect(isAccepted(text)).toBe(false);
  });

  it.each([
    ['an IP literal', 'ann@[192.0.2.1]'],
    ['an IPv6 literal', 'ann@[IPv6:2001:db8::1]'],
    ['a dotted IP address', 'ann@192.0.2.1'],
    ['a dotted IP address that ends in two digits', 'ann@192.0.2.10'],
    ['a dotted IP address that ends in three digits', 'ann@192.0.2.255'],
    ['a dotted IP address in full-width digits', 'ann@１９２.0.2.1'],
    ['a hexadecimal IP address', 'ann@0xc0.0x00.0x02.0x01'],
    ['a numeric host', 'ann@3221225985'],
    ['a numeric top level', 'ann@example.123'],
    ['a host without a dot', 'ann@localhost'],
    ['an empty label', 'ann@example..com'],
    ['a trailing dot', 'ann@example.com.'],
    ['a label that begins with a hyphen', 'ann@-example.com'],
    ['a label that ends in a hyphen', 'ann@example-.com'],
    ['an underscore', 'ann@ex_ample.com'],
    ['a space', 'ann@exam ple.com'],
    ['a percent escape', 'ann@%65xample.com'],
    ['a port', 'ann@example.com:25'],
    ['a path', 'ann@example.com/x'],
    ['a query', 'ann@example.com?x'],
    ['an ideographic full stop', 'ann@example。com'],
    ['a zero-width space', 'ann@exam\u200bple.com'],
    ['a soft hyphen', 'ann@exam\u00adple.com'],
  ])('refuses a domain with or made of %s', (_what, text) => {
    expect(isAccepted(text)).toBe(false);
  });

  it('takes 64 characters before the @ and no more', () => {
    expect(isAccepted(`${'a'.repeat(64)}@example.com`)).toBe(true);
    expect(isAccepted(`${'a'.repeat(65)}@example.com`)).toBe(false);
  });

  it('takes labels of 63 characters and no more', () => {
    expect(isAccepted(`ann@${'a'.repeat(63)}.com`)).toBe(true);
    expect(isAccepted(`ann@${'a'.repeat(64)}.com`)).toBe(false);
  });

  it('takes 254 characters in all and no more', () => {
    const label = 'a'.repeat(62);
    const domain = [label, label, label, 'com'].join('.');
    const longest = `${'a'.repeat(253 - domain.length)}@${domain}`;

    expect(longest).toHaveLength(254);
    expect(isAccepted(longest)).toBe(true);
    expect(isAccepted(`a${longest}`)).toBe(false);
  });

  it('measures a unicode domain by its ASCII form', () => {
    const asciiLength = (label: string) => buildEmailAddress(`a@${label}.com`).address.length - 6;

    expect(asciiLength('ü'.repeat(50))).toBeLessThanOrEqual(63);
    expect(isAccepted(`ann@${'üa'.repeat(31)}.com`)).toBe(false);
  });

  it.each([
    ['without an @', 'a'.repeat(1e6)],
    ['before the @', `${'a.'.repeat(5e5)}@example.com`],
    ['after the @', `ann@${'a.'.repeat(5e5)}`],
    ['of what no address has', `(${'\u{1f600}'.repeat(5e5)}`],
  ])('looks no closer at a megabyte %s than at its length', (_where, text) => {
    expect(parseEmailAddress(text)).toEqual({
      ok: false,
      reason: 'must have at most 254 characters',
    });
  });

  it('takes the longest domain in its longest spelling', () => {
    // Three code points that are one, and take one character of ASCII each.
    const label = '\u03b1\u0313\u0300'.repeat(50);

    const { address } = buildEmailAddress(`ann@${label}.${label}.${label}.com`);

    expect(address.length).toBeLessThanOrEqual(254);
  });

  it('is no address at any IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isAccepted(`ann@${ip}`)).toBe(false);
      }),
    );
  });
});

describe('hasControlCharacter', () => {
  it.each([0, 9, 10, 13, 31, 127, 128, 133, 159, 0x2028, 0x2029])('finds code point %i', (code) => {
    expect(hasControlCharacter(`a${String.fromCodePoint(code)}b`)).toBe(true);
  });

  it.each([' ', '~', '\u00a0', 'ü', '漢', '😀', '\u200d'])('lets %j pass', (text) => {
    expect(hasControlCharacter(text)).toBe(false);
  });
});

describe('recipientIdentityOf', () => {
  it('is the identity of an address as it was handed to SES', () => {
    const { address, identity } = buildEmailAddress('Ann@BÜCHER.example');

    expect(recipientIdentityOf(address)).toBe(identity);
  });

  it.each(['', 'erased', '[erased]', 'ann'])('is nothing of what is no address: "%s"', (text) => {
    expect(recipientIdentityOf(text)).toBeUndefined();
  });
});
