import { describe, expect, it } from 'vitest';
import { patience } from '../patience.ts';
import { count, key, put, TableName, transact } from './commands.ts';
import { type Intercept, openMemoryTable } from './memory-table.ts';

describe('an intercepted call', () => {
  const countOnce = transact([count('a')]);
  const hits = async (intercept: Intercept) => {
    const { table, items } = openMemoryTable({ intercept });
    const outcome = await table.client.send(countOnce).then(
      () => 'answered',
      (error: unknown) => error,
    );
    return { outcome, n: items()[0]?.['n'] };
  };
  const lost = new Error('lost');

  it.each<{ what: string; intercept: Intercept; outcome: unknown; n: number | undefined }>([
    {
      what: 'is never made when the request is lost',
      intercept: () => Promise.reject(lost),
      outcome: lost,
      n: undefined,
    },
    {
      what: 'is made when the answer is lost',
      intercept: async (_call, run) => {
        await run();
        throw lost;
      },
      outcome: lost,
      n: 1,
    },
    {
      what: 'is made twice when it is repeated',
      intercept: async (_call, run) => {
        await run();
        return run();
      },
      outcome: 'answered',
      n: 2,
    },
  ])('$what', async ({ intercept, outcome, n }) => {
    expect(await hits(intercept)).toEqual({ outcome, n });
  });

  it('is made when it is run, whatever came first', async () => {
    const waiting: (() => void)[] = [];
    const { table, items } = openMemoryTable({
      intercept: async (_call, run) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
        return run();
      },
    });
    const calls = [put('a', { n: 1 }), put('a', { n: 2 })].map((call) => table.client.send(call));
    await expect.poll(() => waiting.length, patience).toBe(2);

    for (const goOn of waiting.toReversed()) goOn();
    await Promise.all(calls);

    expect(items()).toEqual([{ ...key('a'), n: 1 }]);
  });

  it('is told with its operation and its marshalled input', async () => {
    const calls: unknown[] = [];
    const { table } = openMemoryTable({
      intercept: (call, run) => {
        calls.push(call);
        return run();
      },
    });

    await table.client.send(put('a', { n: 1 }));

    const Item = { pk: { S: 'p' }, sk: { S: 'a' }, n: { N: '1' } };
    expect(calls).toEqual([{ operation: 'PutItem', input: { TableName, Item } }]);
  });
});
