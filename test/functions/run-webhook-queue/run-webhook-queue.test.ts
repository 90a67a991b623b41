import { describe, expect, it } from 'vitest';
import { dueDeliveries } from '#shared/table/delivery-keys';
import { SlowAnswers } from '#shared/webhooks/slow-answers';
import { runWebhookQueue } from '../../../functions/run-webhook-queue/run-webhook-queue.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { unexpected } from '../../support/unexpected.ts';
import {
  fakeDueDeliveryStore,
  fakeWebhookHealthStore,
  fakeWebhookStore,
} from '../../support/webhook-stores.ts';

const lateMs = 90_000;
const workMs = 10_000;
const webhook = buildWebhook();
const { id } = buildDelivery({ webhookId: webhook.id });

type World = {
  readonly due: boolean;
  readonly count?: number;
  readonly claim?: () => Promise<undefined>;
  readonly now?: () => number;
};

/** Runs the queue in a world in which one delivery may be due, or several, which another process has. */
async function runIn({
  due,
  count = 1,
  claim = async () => undefined,
  now = () => webhookNow,
}: World) {
  const others = Array.from({ length: count - 1 }, () => buildDelivery({ webhookId: webhook.id }));
  const ids = [id, ...others.map((delivery) => delivery.id)];
  const reads: (readonly [number, number])[] = [];
  const claimed: (readonly unknown[])[] = [];
  const output = captureOutput();
  const { log, lines } = recordLog();
  const result = await runWebhookQueue(
    workMs,
    {
      now,
      random: unexpected('random'),
      maxAttempts: 5,
      attempts: {
        claim: async (...args) => {
          claimed.push(args);
          return claim();
        },
        settle: unexpected('attempts.settle'),
      },
      healths: fakeWebhookHealthStore(),
      notices: { file: unexpected('notices.file') },
      webhooks: fakeWebhookStore({ get: async () => webhook }),
      post: unexpected('post'),
      slowAnswers: new SlowAnswers(),
      hosts: { take: async () => true },
      shares: new Map(),
      dueDeliveries: fakeDueDeliveryStore({
        findOwners: async (shard, at) => {
          reads.push([shard, at]);
          const owner = webhook.id;
          const entries = ids.map((one) => ({
            ...{ id: one, owner, webhookId: owner, dueAt: webhookNow - lateMs },
          }));
          const found = { owner, page: { entries, next: undefined } };
          return { firstPages: due && shard === 3 ? [found] : [], next: undefined };
        },
      }),
    },
    log,
  );
  return { result, reads, claimed, lines, published: output.text() };
}

const nothing = { processed: 0, delivered: 0, rescheduled: 0, failed: 0 };

describe('runWebhookQueue', () => {
  it('reads every shard for what is due now', async () => {
    const { reads } = await runIn({ due: false });

    const shards = Array.from({ length: dueDeliveries.shards }, (_, shard) => shard);
    expect(reads.toSorted(([one], [other]) => one - other)).toEqual(
      shards.map((shard) => [shard, webhookNow]),
    );
  });

  it('publishes a lateness of 0 when nothing is due, and logs nothing', async () => {
    const { result, lines, published } = await runIn({ due: false });

    expect(result).toEqual(nothing);
    expect(published).toContain('"WebhookOldestDueLateness":0');
    expect(lines).toEqual([]);
  });

  it('attempts what is due as the due attempt, and publishes how late it is', async () => {
    const { claimed, lines, published } = await runIn({ due: true });

    expect(claimed).toEqual([[id, 'due', webhookNow]]);
    expect(published).toContain(`"WebhookOldestDueLateness":${lateMs}`);
    const fields = { deliveryId: id, result: 'not_claimed' };
    expect(lines).toEqual([{ level: 'info', message: 'webhook attempted', fields }]);
  });

  it("continues after an attempt that couldn't be recorded, and logs it", async () => {
    const claim = async () => {
      throw new Error('the table is silent');
    };

    const { result, lines } = await runIn({ due: true, claim });

    expect(result).toEqual(nothing);
    const fields = { deliveryId: id };
    expect(lines).toEqual([{ level: 'error', message: 'webhook attempt not recorded', fields }]);
  });

  it("throws when three attempts couldn't be recorded and none was, so that Lambda counts an error", async () => {
    const claim = async () => {
      throw new Error('the table is silent');
    };

    const run = runIn({ due: true, count: 3, claim });

    await expect(run).rejects.toThrow('no webhook attempt could be recorded');
  });

  it('succeeds when one of many attempts is recorded', async () => {
    let claims = 0;
    const claim = async () => {
      claims += 1;
      if (claims > 1) throw new Error('the table is silent');
      return undefined;
    };

    const { result } = await runIn({ due: true, count: 4, claim });

    expect(claims).toBe(4);
    expect(result).toEqual(nothing);
  });

  it('starts no attempt when its time is over', async () => {
    const clock = [webhookNow];
    const { claimed } = await runIn({
      due: true,
      now: () => clock.shift() ?? webhookNow + workMs,
    });

    expect(claimed).toEqual([]);
  });
});
