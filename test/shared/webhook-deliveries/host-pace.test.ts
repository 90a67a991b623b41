import { describe, expect, it } from 'vitest';
import { createHostPace, uncountedAttempts } from '#shared/webhook-deliveries/host-pace';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

/** Processes with one table, which counts attempts per host and period. The test moves the clock. */
function prepare(perSecond = 30) {
  const clock = { now: 0 };
  let writes = 0;
  const { table } = openMemoryTable({
    intercept: (_call, run) => {
      writes += 1;
      return run();
    },
  });
  const open = () => {
    const pace = createHostPace(perSecond);
    return { take: (url: string) => pace.take(url, { table, now: () => clock.now }) };
  };
  return { open, clock, writes: () => writes };
}

const url = 'https://hooks.example.com/a';
const other = 'https://hooks.example.com/b?c=d';

/** The number of allowed attempts out of this many concurrent ones. */
async function takeAtOnce(take: (url: string) => Promise<boolean>, attempts: number, at = url) {
  const taken = await Promise.all(Array.from({ length: attempts }, () => take(at)));
  return taken.filter(Boolean).length;
}

describe('attempts at a host', () => {
  it('cost no write while they are few', async () => {
    const { open, writes } = prepare();

    expect(await takeAtOnce(open().take, uncountedAttempts)).toBe(uncountedAttempts);
    expect(writes()).toBe(0);
  });

  it('are limited together, whatever the path and process', async () => {
    const { open } = prepare(30);
    const [one, two] = [open(), open()];

    const made = [
      await takeAtOnce(one.take, 500),
      await takeAtOnce(two.take, 500, other),
      await takeAtOnce(one.take, 500, other),
    ];

    expect(made.reduce((sum, some) => sum + some, 0)).toBe(300 + 2 * uncountedAttempts);
  });

  it('cost one write per hundred, and none once the limit is reached', async () => {
    const { open, writes } = prepare(30);
    const { take } = open();

    await takeAtOnce(take, 5_000);
    await takeAtOnce(take, 5_000);

    expect(writes()).toBe(4);
  });

  it('continue in the next ten seconds, and at other hosts at once', async () => {
    const { open, clock } = prepare(30);
    const { take } = open();
    await takeAtOnce(take, 5_000);

    expect(await take(url)).toBe(false);
    expect(await take('https://other.example.com/')).toBe(true);
    clock.now += 10_000;

    expect(await take(url)).toBe(true);
  });
});
