import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Keyring,
  keyringSchema,
  keyringSecretSchema,
  maxPayloadBytes,
  signToken,
  type TokenPurpose,
  verifyToken,
} from '#shared/tokens/signed-token';
import { anyCharacter } from '../../support/any-character.ts';

const purposes: readonly TokenPurpose[] = ['click', 'open', 'unsubscribe', 'preferences'];
const secretOf = (id: string) => id.repeat(32);
const keyOf = (id: string) => ({ id, secret: secretOf(id) });
const keyring: Keyring = { current: keyOf('k1'), previous: [] };

const purpose = fc.constantFrom(...purposes);
const payload = fc
  .string({ unit: anyCharacter, maxLength: 200 })
  .filter((text) => text.isWellFormed());
const urlSafe = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a signed token', () => {
  it('gives back the payload it was made with', () => {
    fc.assert(
      fc.property(purpose, payload, (purpose, payload) => {
        const token = signToken(keyring, purpose, payload);

        expect(verifyToken(keyring, purpose, token)).toBe(payload);
      }),
    );
  });

  it('is compact text that is safe in a URL', () => {
    const token = signToken(keyring, 'click', 'https://example.com/?a=1&b=ü');

    expect(token).toMatch(/^k1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}$/);
  });

  it('is the same each time, and stays as it was when delivered mail carries it', () => {
    const token = signToken(keyring, 'unsubscribe', 'con_a fbk_b');

    expect(token).toBe('k1.Y29uX2EgZmJrX2I.AJL_Eukm7vLQ6g8lBYqnIQ');
  });

  it('verifies for no other purpose', () => {
    for (const made of purposes) {
      const token = signToken(keyring, made, 'payload');

      const accepted = purposes.filter((read) => verifyToken(keyring, read, token) !== undefined);

      expect(accepted).toEqual([made]);
    }
  });

  it('fails when any one character is replaced, wherever it stands', () => {
    const token = signToken(keyring, 'click', 'https://example.com/?q=ü');
    const altered = [...token].flatMap((character, at) =>
      [...urlSafe, '.', '=', '+', '/', ' ', '\n', 'é']
        .filter((other) => other !== character)
        .map((other) => token.slice(0, at) + other + token.slice(at + 1)),
    );

    const accepted = altered.filter((text) => verifyToken(keyring, 'click', text) !== undefined);

    expect(altered.length).toBeGreaterThan(4_000);
    expect(accepted).toEqual([]);
  });

  it('fails when characters are inserted, removed or appended', () => {
    fc.assert(
      fc.property(
        payload,
        fc.nat(),
        fc.nat(2),
        fc.string({ maxLength: 3 }),
        (payload, position, removed, inserted) => {
          const token = signToken(keyring, 'open', payload);
          const at = position % (token.length + 1);
          const altered = token.slice(0, at) + inserted + token.slice(at + removed);
          fc.pre(altered !== token);

          expect(verifyToken(keyring, 'open', altered)).toBeUndefined();
        },
      ),
    );
  });

  it.each([
    ['as it was made', 'YT8_YQ', 'a??a'],
    ['padded', 'YT8_YQ==', undefined],
    ['with stray bits in its last character', 'YT8_YR', undefined],
    ['in the standard alphabet', 'YT8/YQ', undefined],
    ['with a line break', 'YT8_YQ\n', undefined],
  ])('reads its payload in one encoding only: %s', (_, encoded, expected) => {
    const token = signToken(keyring, 'click', 'a??a');

    const altered = token.replace(/\..*\./, `.${encoded}.`);

    expect(verifyToken(keyring, 'click', altered)).toBe(expected);
  });

  it('fails when a character moves from one field into the next', () => {
    const secret = secretOf('k1');
    const both: Keyring = { current: { id: 'k1', secret }, previous: [{ id: 'k1Y', secret }] };
    const token = signToken(both, 'click', 'a??a');

    const moved = token.replace('k1.Y', 'k1Y.');

    expect(moved).not.toBe(token);
    expect(verifyToken(both, 'click', moved)).toBeUndefined();
  });

  it('never throws on a hostile string', () => {
    const hostile = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom('.', 'k', '1', 'A', '=', '\ud800', '\0', 'é') }),
      fc.tuple(fc.base64String(), fc.base64String()).map(([a, b]) => `k1.${a}.${b}`),
    );
    fc.assert(
      fc.property(purpose, hostile, (purpose, text) => {
        expect(verifyToken(keyring, purpose, text)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the size of a token', () => {
  it('lets the largest payload through', () => {
    const largest = 'x'.repeat(maxPayloadBytes);
    const longIds: Keyring = {
      current: { id: 'k'.repeat(16), secret: secretOf('k1') },
      previous: [],
    };

    const token = signToken(longIds, 'click', largest);

    expect(verifyToken(longIds, 'click', token)).toBe(largest);
    expect(token.length).toBeLessThan(6_000);
  });

  it('counts bytes, not characters', () => {
    const tooLarge = 'é'.repeat(maxPayloadBytes / 2 + 1);

    expect(() => signToken(keyring, 'click', tooLarge)).toThrow(RangeError);
  });

  it('refuses a payload that UTF-8 cannot carry', () => {
    expect(() => signToken(keyring, 'click', 'a\ud800')).toThrow(TypeError);
  });

  it.each([
    { length: maxPayloadBytes, macs: 1 },
    { length: maxPayloadBytes * 2, macs: 0 },
  ])('is checked before any work: $macs MACs over $length characters', ({ length, macs }) => {
    let secretReads = 0;
    const watched: Keyring = {
      current: {
        id: 'k1',
        get secret() {
          secretReads += 1;
          return secretOf('k1');
        },
      },
      previous: [],
    };

    const payload = verifyToken(watched, 'click', `k1.${'A'.repeat(length)}.${'A'.repeat(22)}`);

    expect(payload).toBeUndefined();
    expect(secretReads).toBe(macs);
  });
});

describe('key rotation', () => {
  const rotated: Keyring = { current: keyOf('k2'), previous: [keyOf('k1')] };

  it('keeps tokens of an earlier key valid', () => {
    const token = signToken(keyring, 'unsubscribe', 'payload');

    expect(verifyToken(rotated, 'unsubscribe', token)).toBe('payload');
  });

  it('signs with the current key', () => {
    const token = signToken(rotated, 'unsubscribe', 'payload');

    expect(token).toMatch(/^k2\./);
    expect(verifyToken(keyring, 'unsubscribe', token)).toBeUndefined();
  });

  it('refuses tokens of a key that is no longer listed', () => {
    const token = signToken(keyring, 'unsubscribe', 'payload');
    const removed: Keyring = { current: keyOf('k2'), previous: [] };

    expect(verifyToken(removed, 'unsubscribe', token)).toBeUndefined();
  });

  it('refuses a token whose key id was exchanged for that of another key', () => {
    const [, ...rest] = signToken(rotated, 'unsubscribe', 'payload').split('.');

    expect(verifyToken(rotated, 'unsubscribe', ['k1', ...rest].join('.'))).toBeUndefined();
  });

  it('refuses a token signed with another secret under the same id', () => {
    const impostor: Keyring = { current: { id: 'k1', secret: secretOf('xx') }, previous: [] };
    const token = signToken(impostor, 'unsubscribe', 'payload');

    expect(verifyToken(keyring, 'unsubscribe', token)).toBeUndefined();
  });
});

describe('the keyring', () => {
  it('is read from the text of its secret, as Secrets Manager generates it', () => {
    const text = JSON.stringify({ current: 'k1', k1: secretOf('k1') });

    expect(keyringSecretSchema.parse(text)).toEqual(keyring);
  });

  it('is read with its earlier keys after a rotation', () => {
    const text = JSON.stringify({ current: 'k2', k1: secretOf('k1'), k2: secretOf('k2') });

    expect(keyringSecretSchema.parse(text)).toEqual({
      current: keyOf('k2'),
      previous: [keyOf('k1')],
    });
  });

  it.each([
    ['text that is not JSON', `${secretOf('k1')} {`],
    ['another JSON value', '[]'],
    ['a current key that is not there', JSON.stringify({ current: 'k2', k1: secretOf('k1') })],
    ['no current key', JSON.stringify({ k1: secretOf('k1') })],
    ['a secret below 32 characters', JSON.stringify({ current: 'k1', k1: 'short' })],
    ['an id that would not fit a token', JSON.stringify({ current: 'k.1', 'k.1': secretOf('k1') })],
  ])('refuses %s, without quoting it', (_, text) => {
    const parsed = keyringSecretSchema.safeParse(text);

    expect(parsed.success).toBe(false);
    expect(parsed.error?.message).not.toContain(secretOf('k1'));
  });

  it.each([
    ['a secret at the lower limit', 32, 31],
    ['a secret at the upper limit', 1_024, 1_025],
  ])('takes %s, of %i characters and not %i', (_what, taken, refused) => {
    const withSecret = (length: number) => ({
      current: { id: 'k1', secret: 'x'.repeat(length) },
      previous: [],
    });

    expect(keyringSchema.safeParse(withSecret(taken)).success).toBe(true);
    expect(keyringSchema.safeParse(withSecret(refused)).success).toBe(false);
  });

  it('takes ids of up to 16 characters', () => {
    const withId = (id: string) => ({ current: { ...keyOf('k1'), id }, previous: [] });

    expect(keyringSchema.safeParse(withId('k'.repeat(16))).success).toBe(true);
    expect(keyringSchema.safeParse(withId('k'.repeat(17))).success).toBe(false);
  });

  it('takes 32 earlier keys', () => {
    const withEarlier = (count: number) => ({
      current: keyOf('k1'),
      previous: Array.from({ length: count }, (_, index) => keyOf(`old-${index}`)),
    });

    expect(keyringSchema.safeParse(withEarlier(32)).success).toBe(true);
    expect(keyringSchema.safeParse(withEarlier(33)).success).toBe(false);
  });

  it('refuses two keys of the same id', () => {
    const twice = { current: keyOf('k1'), previous: [keyOf('k1')] };

    expect(keyringSchema.safeParse(twice).success).toBe(false);
  });
});
