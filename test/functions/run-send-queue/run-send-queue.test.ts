import { expect, it } from 'vitest';
import type { DueSend } from '#shared/sending/later/waiting-store';
import { newNonce, newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import { runSendQueue } from '../../../functions/run-send-queue/run-send-queue.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { recordLog } from '../../support/recorded-log.ts';

const now = 1_750_000_000_000;
const owner = newOrganizationId();
const dueSend = (dueAt: number): DueSend => ({ id: slotIdOf(owner, newNonce()), owner, dueAt });

/** One run over sends of one organization, and what it did. */
async function runOver(sends: readonly DueSend[], fails = false): Promise<readonly string[]> {
  captureOutput();
  const done: string[] = [];
  const names = new Map(sends.map(({ id }, index) => [id, `send ${index}`]));
  let isRead = false;
  await runSendQueue(
    {
      now: () => now,
      perSecond: async () => 1,
      dueSends: {
        shards: 1,
        findOwners: async (_shard, until) => {
          const entries = sends.filter(({ dueAt }) => dueAt <= until);
          const isNew = until > now || !isRead;
          if (until === now) isRead = true;
          const firstPages = [{ owner, page: { entries, next: undefined } }];
          return { firstPages: isNew && entries.length > 0 ? firstPages : [], next: undefined };
        },
        find: async () => ({ entries: [], next: undefined }),
      },
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
  'asks for a look at a send before its attempt, so that nothing of it stays behind (fails: %s)',
  async (fails) => {
    expect(await runOver([dueSend(now - 1)], fails)).toEqual([
      'message for send 0 in 301 s',
      'attempt of send 0',
    ]);
  },
);

it('leaves to the queue what is due soon', async () => {
  expect(await runOver([dueSend(now + 60_000), dueSend(now + 90_000)])).toEqual([
    'message for send 0 in 60 s',
  ]);
});
