import { expect } from 'vitest';
import type { Table } from '#shared/table/table-client';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createSeededRandom } from '../support/seeded-random.ts';
import { answer, answerSlowly, type Behaviour, hang, reset } from './flaky-receiver.ts';
import { createReceivingWorld, readDeliveries } from './receiving-world.ts';

const minute = 60_000;
const hour = 60 * minute;

export type FlakyDeliveries = {
  readonly events: number;
  /** The share of requests that the receiver does not answer with a success. */
  readonly failureRate: number;
};

/** Delivers events to a receiver that fails at random, and requires that none is lost, whatever became of it. */
export async function expectNoneLost(
  table: Table,
  { events, failureRate }: FlakyDeliveries,
): Promise<void> {
  const { next: random } = createSeededRandom(20_261_120);
  const errors = [answer(500), reset, answer(302, { location: '/elsewhere' })];
  let hung = 0;
  const hangAndCount: Behaviour = (response, call) => {
    hung += 1;
    hang(response, call);
  };
  // One fault in ten hangs, until the time is over.
  const faults = [...errors, ...errors, ...errors, hangAndCount];
  const world = await createReceivingWorld(
    table,
    (response, call) => {
      if (random() < failureRate) faults[Math.floor(random() * faults.length)]?.(response, call);
      else if (random() < 0.05) answerSlowly(50)(response, call);
      else answer(204)(response, call);
    },
    1_000,
  );
  const stored = await world.deliverEvents(events, [world.endpoint]);

  for (let round = 0; round < 6; round += 1) {
    world.advance(hour + minute);
    await world.run();
  }

  const rows = await readDeliveries(table, stored);
  const delivered = rows.filter((row) => row?.status === 'delivered');
  const failed = rows.filter((row) => row?.status === 'failed');
  expect(delivered.length + failed.length).toBe(events);
  const timedOut = (row: Delivery | undefined) =>
    row?.attempts.filter(({ error }) => error === 'timeout').length ?? 0;
  const timeouts = rows.reduce((sum, row) => sum + timedOut(row), 0);
  // An event that meets five faults has used up its attempts. Which meet them is chance: of 30, 6 do once in 2,000
  // runs. On a busy machine, attempts that meet none may time out, too.
  const maxFailed = Math.max(15, 6 * events * failureRate ** 5) + Math.max(0, timeouts - hung);
  expect(failed.length).toBeLessThan(maxFailed);
  for (const row of failed) {
    expect(row).toMatchObject({ failureReason: 'attempts_exhausted', attemptsStarted: 5 });
  }
  expect(world.receiver.refused).toEqual([]);
  // Delivery is at least once: a message whose answer came too late is delivered again.
  const accepted = new Set(world.receiver.accepted);
  expect(delivered.filter((row) => row && !accepted.has(row.messageId))).toEqual([]);
  for (const row of failed) {
    if (row && accepted.has(row.messageId)) expect(timedOut(row)).toBeGreaterThan(0);
  }
  const maxAccepted = delivered.length + timeouts;
  expect(world.receiver.accepted.length).toBeLessThanOrEqual(maxAccepted);
}
