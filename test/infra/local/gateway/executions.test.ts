import { describe, expect, it, vi } from 'vitest';
import { newAccount } from '../../../../infra/local/account.ts';
import {
  invokeAsynchronously,
  limitExecutions,
  TooManyExecutions,
} from '../../../../infra/local/gateway/executions.ts';
import { invokeFunction, resultOf } from '../../../../infra/local/gateway/functions.ts';
import { patience } from '../../../support/patience.ts';

/** Functions that run until they are told to end. */
function openFunctions(account = newAccount) {
  const running: PromiseWithResolvers<unknown>[] = [];
  const load = limitExecutions(
    async () => () => {
      const execution = Promise.withResolvers<unknown>();
      running.push(execution);
      return execution.promise;
    },
    account,
  );
  const start = (functionName: string) => {
    const result = resultOf(load, functionName, {});
    result.catch(() => {});
    return result;
  };
  /** Until all that were started run or are refused. */
  const startMany = async (functionName: string, count: number) => {
    const started = Array.from({ length: count }, () => start(functionName));
    await new Promise(setImmediate);
    return started;
  };
  return { load, running, start, startMany };
}

describe("an account's executions", () => {
  it('are ten in a new one, across all functions', async () => {
    const { running, start, startMany } = openFunctions();
    await startMany('send-email', 5);
    await startMany('deliver-webhooks', 3);
    await startMany('record-provider-event', 2);

    await expect(start('track-click')).rejects.toThrow(TooManyExecutions);

    expect(running).toHaveLength(10);
  });

  it('are free again when a function returns or throws', async () => {
    const { running, startMany } = openFunctions();
    const started = await startMany('send-email', 10);

    running[0]?.resolve({});
    running[1]?.reject(new Error('broken'));
    await Promise.allSettled(started.slice(0, 2));
    await startMany('send-email', 3);

    expect(running).toHaveLength(12);
  });

  it('are free again when a function times out, although it still runs here', async () => {
    const { load, running, start, startMany } = openFunctions();

    const outcome = await invokeFunction(load, 'send-email', {}, 1);
    await vi.waitUntil(async () => {
      await startMany('send-email', 1);
      return running.length === 11;
    }, patience);

    expect(outcome.kind).toBe('timed-out');
    await expect(start('send-email')).rejects.toThrow(TooManyExecutions);
  });

  it('are reserved exactly for their function', async () => {
    const { running, startMany } = openFunctions({
      lambdaConcurrency: 110,
      reservedForEvents: 4,
    });

    await startMany('record-provider-event', 6);
    expect(running).toHaveLength(4);
    await startMany('send-email', 120);

    expect(running).toHaveLength(110);
  });
});

describe('an event that Lambda throttles', () => {
  async function invokeWhenBusy(maxEventAgeMs: number, busyFor: number) {
    const pauses: number[] = [];
    let tries = 0;
    const outcome = invokeAsynchronously(
      async () => () => {
        tries += 1;
        if (tries <= busyFor) throw new TooManyExecutions('record-provider-event');
        return 'recorded';
      },
      'record-provider-event',
      {},
      { maxEventAgeMs, pause: async (ms) => void pauses.push(ms) },
    );
    return { outcome: await outcome.catch(String), pauses };
  }

  it('is retried after a second, two, four, until there is an execution for it', async () => {
    expect(await invokeWhenBusy(60_000, 4)).toEqual({
      outcome: 'recorded',
      pauses: [1_000, 2_000, 4_000, 8_000],
    });
  });

  it('waits at most five minutes between two tries', async () => {
    const { pauses } = await invokeWhenBusy(6 * 3_600_000, 12);

    expect(pauses.slice(-4)).toEqual([256_000, 300_000, 300_000, 300_000]);
  });

  it('is dropped when it is too old', async () => {
    const { outcome, pauses } = await invokeWhenBusy(60_000, 100);

    expect(outcome).toContain('TooManyExecutions');
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  it("isn't retried when the function itself failed", async () => {
    let tries = 0;
    const load = async () => () => {
      tries += 1;
      throw new Error('broken');
    };

    await expect(
      invokeAsynchronously(load, 'record-provider-event', {}, { maxEventAgeMs: 60_000 }),
    ).rejects.toThrow('broken');

    expect(tries).toBe(1);
  });
});
