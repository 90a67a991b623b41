import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { DueSend } from '#shared/sending/later/waiting-store';
import { sendKey, waitingIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { createPace } from '#shared/timing/pace';
import { newNonce, newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import {
  backgroundFunction,
  runSendQueue,
  workMs,
} from '../../../functions/run-send-queue/run-send-queue.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { recordLog } from '../../support/recorded-log.ts';

const now = 1_750_000_000_000;
const owner = newOrganizationId();
const dueSend = (dueAt: number): DueSend => ({ id: slotIdOf(owner, newNonce()), owner, dueAt });

function useVirtualTime(): void {
  vi.useFakeTimers({ now, toFake: ['setTimeout', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** A table where these are due, and nothing else. */
async function openDue(sends: readonly DueSend[]): Promise<Table> {
  const { table } = openMemoryTable();
  for (const { id, dueAt } of sends) {
    const Item = { ...sendKey(id), ...waitingIndexKey(id, dueAt) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return table;
}

/** One run over sends of one organization, and what it did. */
async function runOver(sends: readonly DueSend[], fails = false): Promise<readonly string[]> {
  captureOutput();
  const done: string[] = [];
  const names = new Map(sends.map(({ id }, index) => [id, `send ${index}`]));
  useVirtualTime();
  await runSendQueue(
    {
      now: () => now,
      wait: () => new Promise(() => {}),
      perSecond: async () => 1,
      table: await openDue(sends),
      wakeSenders: async (woken) => {
        for (const { slotId, delayMs } of woken) {
          done.push(`message for ${names.get(slotId)} in ${delayMs / 1_000} s`);
        }
      },
      lookLater: (slotId) => ({ slotId, delayMs: 301_000 }),
      attempt: async (slotId) => {
        done.push(`attempt of ${names.get(slotId)}`);
        if (fails) throw new Error('the table is down');
      },
    },
    recordLog().log,
  );
  return done;
}

it.each([false, true])(
  'asks for a look at a send before its attempt, so that nothing of it is left behind (fails: %s)',
  async (fails) => {
    expect(await runOver([dueSend(now - 1)], fails)).toEqual([
      'message for send 0 in 301 s',
      'attempt of send 0',
    ]);
  },
);

it.each([
  ['two fail, as one bad email does in each run', 2, 0],
  ['one of many is attempted', 3, 1],
])('succeeds when %s', async (_what, failing, attempted) => {
  captureOutput();

  await expect(runFailing(failing, attempted)).resolves.toBeUndefined();
});

it('publishes its lateness and throws when three fail and none is attempted, so that Lambda counts an error', async () => {
  const output = captureOutput();

  await expect(runFailing(3)).rejects.toThrow('no due send could be attempted');

  expect(output.text()).toContain('"SendOldestDueLateness":1000');
});

it('succeeds when failing emails were due long before a deployment, and fails when they are new', async () => {
  captureOutput();

  await expect(runFailing(5, 0, now - 15 * 60_000)).resolves.toBeUndefined();
  await expect(runFailing(5, 0, now - 14 * 60_000)).rejects.toThrow();
});

/** One run over sends of which the first fail. */
async function runFailing(failing: number, attempted = 0, dueAt = now - 1_000): Promise<void> {
  const sends = Array.from({ length: failing + attempted }, () => dueSend(dueAt));
  const bad = new Set(sends.slice(0, failing).map(({ id }) => id));
  await runSendQueue(
    {
      now: () => now,
      wait: () => new Promise(() => {}),
      perSecond: async () => 1,
      table: await openDue(sends),
      wakeSenders: async () => {},
      lookLater: (slotId) => ({ slotId, delayMs: 1 }),
      attempt: async (slotId) => {
        if (bad.has(slotId)) throw new Error('the table is down');
      },
    },
    recordLog().log,
  );
}

it('leaves what is due soon to the queue', async () => {
  expect(await runOver([dueSend(now + 60_000), dueSend(now + 90_000)])).toEqual([
    'message for send 0 in 60 s',
  ]);
});

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A run whose attempts wait for the turns of many recipients, and then take some time. In virtual time. */
async function runSlowly(takesMs: number, count = 40) {
  const output = captureOutput();
  useVirtualTime();
  const sends = Array.from({ length: count }, () => dueSend(now - 1_000));
  const perSecond = async () => 10;
  const takeTurn = createPace(perSecond, { now: Date.now, wait: pass });
  const begun: number[] = [];
  let refused = 0;
  let endedAt: number | undefined;
  const run = runSendQueue(
    {
      now: Date.now,
      wait: pass,
      perSecond,
      table: await openDue(sends),
      wakeSenders: async () => {},
      lookLater: (slotId) => ({ slotId, delayMs: 1 }),
      attempt: async (_slotId, until) => {
        if (!(await takeTurn(50, until))) {
          refused += 1;
          return;
        }
        begun.push(Date.now() - now);
        await pass(takesMs);
      },
    },
    recordLog().log,
  ).then(() => {
    endedAt = Date.now() - now;
  });
  await vi.advanceTimersByTimeAsync(backgroundFunction.lambda.timeoutSeconds * 1_000);
  const published = output.text();
  await vi.advanceTimersByTimeAsync(takesMs);
  await run;
  return { begun, refused, endedAt, published };
}

it('starts no email whose turn would come after its time, and leaves it due', async () => {
  const { begun, refused, endedAt } = await runSlowly(20_000);

  expect(begun).toEqual(
    [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50].map((seconds) => seconds * 1_000),
  );
  expect(refused).toBeGreaterThan(0);
  expect(endedAt).toBe(workMs + 20_000);
});

it('reports how late the oldest was, even if its attempts outlast the function', async () => {
  const { published, endedAt } = await runSlowly(120_000);

  expect(endedAt).toBeGreaterThan(backgroundFunction.lambda.timeoutSeconds * 1_000);
  expect(published).toContain('"SendOldestDueLateness":1000');
});
