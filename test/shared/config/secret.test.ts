import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { secretKeptForMs, secretReader } from '#shared/config/secret';

/** A secret with another value at each fetch: hush-1, hush-2 … */
function changingSecret() {
  const fetched: string[] = [];
  const fetch = async (secretId: string) => {
    fetched.push(secretId);
    return `hush-${fetched.length}`;
  };
  return { fetched, fetch };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a secret', () => {
  it('is read by its id', async () => {
    const { fetched, fetch } = changingSecret();

    expect(await secretReader('path/to secret', z.string(), fetch)()).toBe('hush-1');
    expect(fetched).toEqual(['path/to secret']);
  });

  it('is kept for five minutes and then read again', async () => {
    const { fetched, fetch } = changingSecret();
    vi.useFakeTimers({ toFake: ['Date'] });
    const read = secretReader('secret-1', z.string(), fetch);

    const secrets = [await read(), await read()];
    vi.advanceTimersByTime(secretKeptForMs - 1);
    secrets.push(await read());
    vi.advanceTimersByTime(1);
    secrets.push(await read());

    expect(secretKeptForMs).toBe(300_000);
    expect(secrets).toEqual(['hush-1', 'hush-1', 'hush-1', 'hush-2']);
    expect(fetched).toHaveLength(2);
  });

  it('is read once for requests at the same time', async () => {
    const { fetched, fetch } = changingSecret();
    const read = secretReader('secret-1', z.string(), fetch);

    expect(await Promise.all([read(), read(), read()])).toEqual(['hush-1', 'hush-1', 'hush-1']);
    expect(fetched).toHaveLength(1);
  });

  it('that could not be read is asked for again the next time', async () => {
    const { fetch } = changingSecret();
    let isDown = true;
    const read = secretReader('secret-1', z.string(), (secretId) =>
      isDown ? Promise.reject(new Error('down')) : fetch(secretId),
    );

    await expect(read()).rejects.toThrow('down');
    isDown = false;
    expect(await read()).toBe('hush-1');
  });

  it('of another form than wanted is refused, and not quoted', async () => {
    const { fetch } = changingSecret();

    const error: unknown = await secretReader('secret-1', z.url(), fetch)().catch(
      (thrown) => thrown,
    );

    expect(error).toBeInstanceOf(z.core.$ZodError);
    expect(String(error)).not.toContain('hush');
  });
});
