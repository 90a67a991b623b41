import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DuePage, DueReader } from '#shared/table/due-index';
import type { DeliveryId, WebhookId } from '#shared/tokens/resource-id';
import type { AttemptResult } from '#shared/webhook-deliveries/attempt-delivery';
import type { DueEntry } from '#shared/webhook-deliveries/delivery-store';
import { runDueDeliveries, scheduledWorkMs } from '#shared/webhook-deliveries/run-due-deliveries';
import { dueTo, newEndpoints, threeEndpoints } from './due-index.ts';

/** Runs of the schedule, a minute apart, in virtual time. */
beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const minuteMs = 60_000;
const timeoutMs = 15_000;
const pass = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Takes one message; fails when it takes longer than an attempt waits. */
type Receiver = () => Promise<AttemptResult>;

/** A receiver with a fixed response time, however many messages it has. */
const wide =
  (answerMs: number): Receiver =>
  async () => {
    await pass(Math.min(answerMs, timeoutMs));
    return answerMs < timeoutMs ? 'delivered' : 'rescheduled';
  };

/** A receiver that works on this many messages at a time; the others wait. */
function narrow(places: number, workMs: number): Receiver {
  const freeAt = Array.from({ length: places }, () => 0);
  return async () => {
    const soonest = freeAt.indexOf(Math.min(...freeAt));
    const beginsAt = Math.max(Date.now(), freeAt[soonest] ?? 0);
    const waitMs = beginsAt + workMs - Date.now();
    // It notices before it starts that nobody is waiting any longer.
    if (beginsAt - Date.now() < timeoutMs) freeAt[soonest] = beginsAt + workMs;
    return wide(waitMs)();
  };
}

/** An endpoint's messages become due at an even rate. */
type Endpoint = {
  readonly id: WebhookId;
  readonly receiver: Receiver;
  readonly entries: DueEntry[];
};

const arriving = (
  id: WebhookId,
  receiver: Receiver,
  perSecond: number,
  minutes: number,
): Endpoint => ({
  id,
  receiver,
  entries: dueTo(id, perSecond * minutes * 60).map((entry, index) => ({
    ...entry,
    dueAt: Math.floor((index * 1_000) / perSecond),
  })),
});

const pageSize = 50;

/** The index of future deliveries: all endpoints are in its first shard. */
function openIndex(
  endpoints: readonly Endpoint[],
  made: ReadonlySet<DeliveryId>,
): DueReader<WebhookId, DueEntry> {
  const pageOf = ({ entries }: Endpoint, now: number, from: number): DuePage<DueEntry> => {
    const found: DueEntry[] = [];
    for (let index = from; index < entries.length; index += 1) {
      const entry = entries[index];
      if (entry === undefined || entry.dueAt > now) break;
      if (!made.has(entry.id)) found.push(entry);
      if (found.length === pageSize) return { entries: found, next: { from: index + 1 } };
    }
    return { entries: found, next: undefined };
  };
  return {
    shards: 8,
    findOwners: async (shard, now) => ({
      firstPages:
        shard > 0 ? [] : endpoints.map((one) => ({ owner: one.id, page: pageOf(one, now, 0) })),
      next: undefined,
    }),
    find: async (_shard, webhookId, now, after) => {
      const endpoint = endpoints.find(({ id }) => id === webhookId);
      if (endpoint === undefined) throw new Error('an endpoint of the index');
      return pageOf(endpoint, now, Number(after?.['from']));
    },
  };
}

/** Makes a run each minute, and returns the first endpoint's overdue deliveries after each. */
async function runEachMinute(endpoints: readonly Endpoint[], minutes: number): Promise<number[]> {
  const made = new Set<DeliveryId>();
  const leased = new Set<DeliveryId>();
  const shares = new Map<WebhookId, number>();
  const receivers = new Map(endpoints.map(({ id, receiver }) => [id, receiver]));
  const attempt = async ({ id, webhookId }: Pick<DueEntry, 'id' | 'webhookId'>) => {
    if (leased.has(id) || made.has(id)) return 'not_claimed';
    leased.add(id);
    const result = (await receivers.get(webhookId)?.()) ?? 'failed';
    leased.delete(id);
    if (result === 'delivered') made.add(id);
    return result;
  };
  const overdue: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const run = runDueDeliveries(Date.now() + scheduledWorkMs, {
      now: Date.now,
      due: openIndex(endpoints, made),
      shares,
      attempt,
      reportFailure: () => {},
    });
    run.catch(() => {});
    await vi.advanceTimersByTimeAsync(minuteMs);
    const due = endpoints[0]?.entries.filter(({ dueAt }) => dueAt <= Date.now()) ?? [];
    overdue.push(due.filter(({ id }) => !made.has(id)).length);
  }
  return overdue;
}

describe("an endpoint's backlog", () => {
  it.each([
    { what: 'answers after 3.5 s', receiver: wide(3_500), perSecond: 10 },
    { what: 'answers after 14 s', receiver: wide(14_000), perSecond: 3 },
    { what: 'answers after 100 ms', receiver: wide(100), perSecond: 20 },
    { what: 'takes four at a time for 3.5 s each', receiver: narrow(4, 3_500), perSecond: 1 },
    { what: 'takes one at a time for 500 ms', receiver: narrow(1, 500), perSecond: 1.75 },
  ])("doesn't grow at $perSecond a second when it $what", async ({ receiver, perSecond }) => {
    const [id] = threeEndpoints();
    const minutes = 8;

    const overdue = await runEachMinute([arriving(id, receiver, perSecond, minutes)], minutes);

    // What becomes due between runs waits for the next one.
    const ofOneMinute = perSecond * 60;
    expect(Math.max(...overdue.slice(-4))).toBeLessThan(1.1 * ofOneMinute);
    expect(overdue.at(-1)).toBeLessThanOrEqual(1.1 * (overdue.at(-4) ?? 0));
  });

  it("doesn't grow beside a hundred hanging endpoints, each with a backlog", async () => {
    const [id, ...others] = newEndpoints(101);
    if (id === undefined) throw new Error('endpoints');
    const hanging = others.map((other) => ({
      id: other,
      receiver: wide(timeoutMs),
      entries: dueTo(other, 500),
    }));
    const fine = arriving(id, wide(100), 20, 4);

    const overdue = await runEachMinute([fine, ...hanging], 4);

    expect(Math.max(...overdue)).toBeLessThan(1.1 * 20 * 60);
  });
});
