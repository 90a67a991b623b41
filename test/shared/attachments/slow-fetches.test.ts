import { describe, expect, it } from 'vitest';
import {
  createSlowFetches,
  freeFetchMs,
  sharedFetches,
  slowRememberedMs,
} from '#shared/attachments/slow-fetches';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** One place, unless said otherwise. The test moves the clock. */
function prepare({ places = 1, fault }: { places?: number; fault?: Error } = {}) {
  let clock = 1_750_000_000_000;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const { table, items } = openMemoryTable({
    intercept: async (_, run) => {
      if (fault !== undefined) throw fault;
      return run();
    },
  });
  const slowFetches = createSlowFetches({
    table,
    places,
    now: () => clock,
    after: (ms, run) => {
      const timer = { at: clock + ms, run };
      timers.add(timer);
      return { cancel: () => timers.delete(timer) };
    },
  });
  const pass = async (ms: number) => {
    clock += ms;
    for (const timer of [...timers].filter(({ at }) => at <= clock)) {
      timers.delete(timer);
      timer.run();
    }
    await nextTurn();
  };
  const heldNow = () => items().filter(({ heldUntil }) => Number(heldUntil) > clock).length;
  return { ...slowFetches, slowFetches, pass, items, heldNow };
}

const id = newOrganizationId();

describe('a request with files behind URLs', () => {
  it('takes no lease while its files are quick', async () => {
    const { begin, pass, items } = prepare();

    const fetching = await begin(id);
    await pass(freeFetchMs - 1);
    await fetching.end();
    await pass(freeFetchMs);

    expect(items()).toEqual([]);
  });

  it('goes on under a lease when they are slow, and gives it back', async () => {
    const { begin, pass, heldNow } = prepare();

    const fetching = await begin(id);
    await pass(freeFetchMs);

    expect([heldNow(), fetching.signal.aborted]).toEqual([1, false]);
    await fetching.end();
    expect(heldNow()).toBe(0);
  });

  it('is stopped when its files are slow and no lease is free', async () => {
    const { begin, pass } = prepare({ places: 1 });
    const first = await begin(id);
    const second = await begin(id);

    await pass(freeFetchMs);

    expect(first.signal.aborted).toBe(false);
    expect(second.signal.reason).toMatchObject({
      code: 'slow_fetch_limit_reached',
      retryAfterSeconds: 10,
    });
  });

  it('is stopped when no lease can be asked for', async () => {
    const { begin, pass } = prepare({ fault: new Error('no table') });
    const fetching = await begin(id);

    await pass(freeFetchMs);

    expect(fetching.signal.aborted).toBe(true);
    await fetching.end();
  });

  it('needs a lease from the start for some minutes after slow ones, whatever the host', async () => {
    const { begin, pass, heldNow } = prepare();
    const slow = await begin(id);
    await pass(freeFetchMs);

    const error = await serviceErrorOf(() => begin(id));
    await slow.end();
    await pass(slowRememberedMs);
    const later = await begin(id);

    expect(error.code).toBe('slow_fetch_limit_reached');
    expect(later.signal.aborted).toBe(false);
    expect(heldNow()).toBe(0);
  });

  it('doesn’t notice that another organization’s files are slow', async () => {
    const { begin, pass, heldNow } = prepare();
    await begin(id);
    await pass(freeFetchMs);

    await begin(newOrganizationId());

    expect(heldNow()).toBe(1);
  });
});

describe('the emails of a batch', () => {
  it('share a lease, as they wait in one execution, until the last one’s files are there', async () => {
    const { slowFetches, pass, heldNow } = prepare({ places: 2 });
    const { begin } = sharedFetches(slowFetches);
    const [first, second] = await Promise.all([begin(id), begin(id)]);
    await pass(freeFetchMs);

    await first.end();
    expect([heldNow(), second.signal.aborted]).toEqual([1, false]);
    await second.end();

    expect(heldNow()).toBe(0);
  });

  it('are each refused when the organization holds all leases, and ask again later', async () => {
    const { slowFetches, pass } = prepare({ places: 1 });
    const other = await slowFetches.begin(id);
    await pass(freeFetchMs);
    const { begin } = sharedFetches(slowFetches);

    const errors = await Promise.all([1, 2].map(() => serviceErrorOf(() => begin(id))));
    await other.end();
    const again = await begin(id);

    expect(errors.map(({ code }) => code)).toEqual(Array(2).fill('slow_fetch_limit_reached'));
    expect(again.signal.aborted).toBe(false);
  });
});
