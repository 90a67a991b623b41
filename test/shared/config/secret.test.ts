import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { secretReader, secretRetryAfterMs } from '#shared/config/secret';
import { secretKeptForMs } from '#shared/config/secret-lifetime';
import { captureOutput } from '../../support/captured-output.ts';

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

  it('stays in use while it cannot be read anew, and is asked for every half minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const output = captureOutput();
    const { fetched, fetch } = changingSecret();
    let isDown = false;
    const read = secretReader('secret-1', z.string(), async (secretId) => {
      const secret = await fetch(secretId);
      if (isDown) throw new Error('down');
      return secret;
    });
    await read();
    isDown = true;

    vi.advanceTimersByTime(secretKeptForMs);
    const secrets = [await read(), await read()];
    vi.advanceTimersByTime(secretRetryAfterMs - 1);
    secrets.push(await read());
    isDown = false;
    vi.advanceTimersByTime(1);
    secrets.push(await read());

    expect(secrets).toEqual(['hush-1', 'hush-1', 'hush-1', 'hush-3']);
    expect(fetched).toHaveLength(3);
    expect(output.text()).toContain('secret not read again');
    expect(output.text()).not.toContain('hush');
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
