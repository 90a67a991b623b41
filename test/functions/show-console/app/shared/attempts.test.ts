import { describe, expect, it } from 'vitest';
import {
  createAttempts,
  isInDoubt,
} from '../../../../../functions/show-console/app/shared/attempts.ts';

/** Presses a button once for each of these answers, and returns the key that each press sent. */
async function keysOf(...presses: readonly (readonly [content: string, status: number])[]) {
  let made = 0;
  const attempt = createAttempts(() => `key ${++made}`);
  const keys: string[] = [];
  for (const [content, status] of presses) {
    const send = async (key: string) => {
      keys.push(key);
      if (status !== 200) throw new Error(`${status}`);
    };
    await attempt(content, send).catch(() => undefined);
  }
  return keys;
}

describe('createAttempts', () => {
  it('sends the same content under a new key once it was sent', async () => {
    expect(await keysOf(['a', 200], ['a', 200])).toEqual(['key 1', 'key 2']);
  });

  it.each([0, 409, 429, 500])(
    'keeps the key of an attempt in doubt when its retry is answered %i',
    async (status) => {
      expect(await keysOf(['a', 0], ['a', status], ['a', 200], ['a', 200])).toEqual([
        'key 1',
        'key 1',
        'key 1',
        'key 2',
      ]);
    },
  );

  it('sends other content under a new key', async () => {
    expect(await keysOf(['a', 0], ['b', 200])).toEqual(['key 1', 'key 2']);
  });

  it('returns what was sent, and throws what was refused', async () => {
    const attempt = createAttempts(() => 'key');

    expect(await attempt('a', async (key) => key)).toBe('key');
    await expect(attempt('a', () => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    );
  });

  it('makes keys that a header can carry, and that say where they are from', async () => {
    const attempt = createAttempts();

    expect(await attempt('Grüße 日本', async (key) => key)).toMatch(/^console-[0-9a-f-]{36}$/);
  });
});

describe('isInDoubt', () => {
  it.each([
    [0, true],
    [500, true],
    [503, true],
    [400, false],
    [429, false],
  ])('says whether a request that failed with %i is in doubt: %s', (status, expected) => {
    expect(isInDoubt(status)).toBe(expected);
  });
});
