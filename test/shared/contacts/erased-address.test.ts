import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEmailAddress } from '#shared/contacts/email-address';
import {
  erasedAddress,
  withoutAddress,
  withoutAddressInJson,
  withoutAddressInText,
} from '#shared/contacts/erased-address';

const ann = 'ann@example.com';
const without = (value: unknown) => withoutAddress(value, ann);

describe('what stands for an erased address', () => {
  it('is no address, so that nobody is found or written to by it', () => {
    expect(parseEmailAddress(erasedAddress).ok).toBe(false);
  });
});

describe('a value without an address', () => {
  it('has something else in its place, however it was written', () => {
    expect(['ann@example.com', 'Ann@Example.COM', 'ANN@example.com'].map(without)).toEqual(
      Array.from({ length: 3 }, () => 'erased'),
    );
  });

  it('keeps the addresses of others, also those that end or begin the same', () => {
    const others = ['joann@example.com', 'ann@example.com.au', 'x.ann@example.com', 'ben@b.org'];

    expect(without(others)).toEqual(others);
  });

  it('has it nowhere in what it is made of', () => {
    const stored = {
      recipients: [
        { email: ann, diagnostic: 'no mailbox ANN@example.com here' },
        { email: 'b@b.org' },
      ],
      nested: { deep: [[ann]] },
      hits: 3,
      machine: true,
      nothing: null,
      missing: undefined,
    };

    expect(without(stored)).toEqual({
      recipients: [{ email: 'erased', diagnostic: 'no mailbox erased here' }, { email: 'b@b.org' }],
      nested: { deep: [['erased']] },
      hits: 3,
      machine: true,
      nothing: null,
      missing: undefined,
    });
  });

  it('has it in no link, encoded or not', () => {
    const links = [
      'https://example.com/people/ann@example.com/',
      'https://example.com/people/Ann%40example.com/',
    ];

    expect(links.map(without)).toEqual([
      'https://example.com/people/erased/',
      'https://example.com/people/erased/',
    ]);
  });

  it('takes the characters of the address for what they are', () => {
    expect(withoutAddress('For a+b@x-y.org, not aab@xzy.org.', 'a+b@x-y.org')).toBe(
      'For erased, not aab@xzy.org.',
    );
  });
});

describe('a text without an address', () => {
  it('does not have it as a part of another one either', () => {
    expect(withoutAddressInText('welcome-Ann@example.com', ann)).toBe('welcome-erased');
  });
});

describe('a JSON text without an address', () => {
  it('is the same but for the address', () => {
    const body = JSON.stringify({ type: 'email.sent', data: { to: 'Ann@example.com', at: 1.5 } });

    expect(withoutAddressInJson(body, ann)).toBe(
      '{"type":"email.sent","data":{"to":"erased","at":1.5}}',
    );
  });

  it('is the same, byte for byte, when it was not there', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = JSON.stringify(value);

        expect(withoutAddressInJson(body, ann)).toBe(JSON.stringify(JSON.parse(body)));
      }),
    );
  });

  it('holds it nowhere, whatever it is made of and wherever it was', () => {
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
