import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '#shared/contacts/email-address';
import {
  erasedAddress,
  withoutAddress,
  withoutAddressInJson,
  withoutAddressInText,
} from '#shared/contacts/erased-address';
import { buildEmailAddress } from '../../support/email-address-builder.ts';

const ann = 'ann@example.com';
const identityOf = (address: string) => buildEmailAddress(address).identity;
const without = (value: unknown) => withoutAddress(value, ann);

describe('erasedAddress', () => {
  it('is no address, so it leads to nobody', () => {
    expect(parseEmailAddress(erasedAddress).ok).toBe(false);
  });
});

describe('withoutAddress', () => {
  it('replaces the address, however it was written', () => {
    expect(['ann@example.com', 'Ann@Example.COM', 'ANN@example.com'].map(without)).toEqual(
      Array.from({ length: 3 }, () => 'erased'),
    );
  });

  it('keeps the addresses of others, also those that begin or end the same', () => {
    const others = ['joann@example.com', 'ann@example.com.au', 'x.ann@example.com', 'ben@b.org'];

    expect(without(others)).toEqual(others);
  });

  it('replaces the address anywhere in a value', () => {
    const stored = {
      recipients: [
        { email: ann, diagnostic: 'no mailbox ANN@example.com here' },
        { email: 'b@b.org' },
      ],
      nested: { deep: [[ann]], [ann]: 1, 'of Ann@example.com': 2 },
      hits: 3,
      machine: true,
      nothing: null,
      missing: undefined,
    };

    expect(without(stored)).toEqual({
      recipients: [{ email: 'erased', diagnostic: 'no mailbox erased here' }, { email: 'b@b.org' }],
      nested: { deep: [['erased']], erased: 1, 'of erased': 2 },
      hits: 3,
      machine: true,
      nothing: null,
      missing: undefined,
    });
  });

  it('replaces the address in links, encoded or not', () => {
    const links = [
      'https://example.com/people/ann@example.com/',
      'https://example.com/people/Ann%40example.com/',
    ];

    expect(links.map(without)).toEqual([
      'https://example.com/people/erased/',
      'https://example.com/people/erased/',
    ]);
  });

  it('replaces an address whose domain is not ASCII, as people write it and as it is stored', () => {
    const identity = identityOf('ann@exämple.com');
    const texts = [
      'Invoice for ann@exämple.com',
      'Ann <Ann@EXÄMPLE.com>',
      'Ann <ann@xn--exmple-cua.com>',
      `https://x.example/?${new URLSearchParams({ e: 'ann@exämple.com' })}`,
      `https://x.example/${encodeURIComponent('ann@exämple.com')}`,
    ];

    expect(texts.map((text) => withoutAddress(text, identity))).toEqual([
      'Invoice for erased',
      'Ann <erased>',
      'Ann <erased>',
      'https://x.example/?e=erased',
      'https://x.example/erased',
    ]);
  });

  it.each(["o'brien+news@example.com", 'a!b*c_d~e@x-y.org', 'a%b@example.com', 'ann@exämple.com'])(
    'replaces %s in links, whatever encoded them',
    (address) => {
      const identity = identityOf(address);
      const query = `${new URLSearchParams({ e: address })}`;
      const links = [
        `https://x.example/?${query}`,
        `https://x.example/?e=${encodeURIComponent(address)}`,
        new URL(`https://x.example/u/${encodeURI(address)}`).href,
        `https://x.example/?to=${encodeURIComponent(`https://y.example/?${query}`)}`,
      ];

      const left = links.map((link) => withoutAddress(link, identity));

      expect(left).toEqual([
        'https://x.example/?e=erased',
        'https://x.example/?e=erased',
        'https://x.example/u/erased',
        'https://x.example/?to=https%3A%2F%2Fy.example%2F%3Fe%3Derased',
      ]);
    },
  );

  it('replaces the address in a path or a query that reads as an address of its own', () => {
    const texts = [
      '/people/ann@example.com',
      'email=Ann@example.com',
      'x.example?e=ann@example.com',
    ];

    expect(texts.map(without)).toEqual(['/people/erased', 'email=erased', 'x.example?e=erased']);
  });

  it('keeps what has no more than the part before the @', () => {
    expect(withoutAddress('For ann@ and ann@b.org', 'ann@xn--99999.com')).toBe(
      'For ann@ and ann@b.org',
    );
  });

  it('reads the characters of the address literally', () => {
    expect(withoutAddress('For a+b@x-y.org, not aab@xzy.org.', 'a+b@x-y.org')).toBe(
      'For erased, not aab@xzy.org.',
    );
  });
});

describe('withoutAddressInText', () => {
  it('replaces the address also as a part of another one', () => {
    expect(withoutAddressInText('welcome-Ann@example.com', ann)).toBe('welcome-erased');
  });
});

describe('withoutAddressInJson', () => {
  it('changes only the address', () => {
    const body = JSON.stringify({ type: 'email.sent', data: { to: 'Ann@example.com', at: 1.5 } });

    expect(withoutAddressInJson(body, ann)).toBe(
      '{"type":"email.sent","data":{"to":"erased","at":1.5}}',
    );
  });

  it('returns the same text, byte for byte, if the address is not in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = JSON.stringify(value);

        expect(withoutAddressInJson(body, ann)).toBe(JSON.stringify(JSON.parse(body)));
      }),
    );
  });

  it('replaces the address in any JSON, wherever it is', () => {
    const written = fc.constantFrom(ann, 'Ann@example.com', 'ANN@EXAMPLE.COM');
    const text = fc
      .tuple(fc.string(), written, fc.string())
      .map(([before, address, after]) => `${before} ${address} ${after}`);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        written,
        text,
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value')),
        fc.dictionary(fc.stringMatching(/^[a-z]*$/), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (stored) => {
        const body = withoutAddressInJson(JSON.stringify(stored), ann);

        expect(body.toLowerCase()).not.toContain(ann);
      }),
    );
  });
});
