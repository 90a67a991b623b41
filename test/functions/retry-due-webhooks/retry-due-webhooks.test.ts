import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { webhookKey } from '#shared/table/keys';
import { newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import { createHostPace } from '#shared/webhook-deliveries/host-pace';
import type { WebhookPost } from '#shared/webhook-deliveries/webhook-poster';
import { SlowAnswers } from '#shared/webhooks/slow-answers';
import { createWebhook } from '#shared/webhooks/webhook-store';
import { retryDueWebhooks } from '../../../functions/retry-due-webhooks/retry-due-webhooks.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { storeDeliveries, storedAmong } from '../../support/stored-delivery.ts';

const lateMs = 90_000;
const workMs = 10_000;

type World = {
  /** How many deliveries are due. */
  readonly due: number;
  readonly pausedAt?: number;
  readonly now?: () => number;
  /** Whether the table takes the write of this number, from 1. */
  readonly takesWrite?: (write: number) => boolean;
};

/** A webhook with due deliveries, and the process that attempts them. */
async function prepare({ due, now = () => webhookNow, takesWrite = () => true, ...given }: World) {
  let writes = 0;
  const unreadable = new Set<string>();
  const { table } = openMemoryTable({
    intercept: (call, run) => {
      const isRead = call.operation === 'GetItem';
      if (isRead && unreadable.has(`${call.input.Key?.['sk']?.S}`)) {
        return Promise.reject(new Error('the table is throttled'));
      }
      if (call.operation !== 'UpdateItem' || takesWrite(++writes)) return run();
      return Promise.reject(new Error('the table is silent'));
    },
  });
  const organization = buildOrganization();
  const webhook = buildWebhook({ id: newWebhookId(organization.id), ...given });
  await putOrganization(table, organization);
  await createWebhook(table, webhook, anyEntry());
  const deliveries = Array.from({ length: due }, () =>
    buildDelivery({ webhookId: webhook.id, dueAt: webhookNow - lateMs }),
  );
  await storeDeliveries(table, deliveries);
  const posts: WebhookPost[] = [];
  const output = captureOutput();
  const { log, lines } = recordLog();
  const run = () =>
    retryDueWebhooks(
      workMs,
      {
        ...{ table, now, shares: new Map() },
        posting: {
          ...{ random: () => 0, maxAttempts: 5, slowAnswers: new SlowAnswers() },
          hosts: createHostPace(1_000),
          post: async (post) => {
            posts.push(post);
            return { kind: 'answered', statusCode: 204, answer: '', retryAfterMs: undefined };
          },
        },
      },
      log,
    );
  const statuses = async () => (await storedAmong(table, deliveries)).map(({ status }) => status);
  const makeUnreadable = (id: WebhookId) => unreadable.add(webhookKey(id).sk);
  const world = { table, organization, makeUnreadable };
  return { ...world, run, deliveries, posts, lines, statuses, published: output.text };
}

const nothing = { processed: 0, delivered: 0, rescheduled: 0, failed: 0 };

describe('retryDueWebhooks', () => {
  it('makes the attempts that are due, in every shard', async () => {
    const { run, statuses } = await prepare({ due: 100 });

    const result = await run();

    expect(result).toEqual({ ...nothing, processed: 100, delivered: 100 });
    expect(await statuses()).toEqual(Array(100).fill('delivered'));
  });

  it('publishes a lateness of 0 when nothing is due, and logs nothing', async () => {
    const { run, lines, published } = await prepare({ due: 0 });

    expect(await run()).toEqual(nothing);
    expect(published()).toContain('"WebhookOldestDueLateness":0');
    expect(lines).toEqual([]);
  });

  it("leaves out what isn't due yet", async () => {
    const { run, posts } = await prepare({ due: 1, now: () => webhookNow - lateMs - 1 });

    expect(await run()).toEqual(nothing);
    expect(posts).toEqual([]);
  });

  it('attempts nothing at a paused endpoint, whose deliveries keep waiting and are not late', async () => {
    const { run, posts, statuses, published } = await prepare({ due: 100, pausedAt: webhookNow });

    const result = await run();

    expect({ result, posts }).toEqual({ result: nothing, posts: [] });
    expect(await statuses()).toEqual(Array(100).fill('pending'));
    expect(published()).toContain('"WebhookOldestDueLateness":0');
  });

  it("fails at an endpoint that can't be read, and reaches all others in each shard", async () => {
    const { run, table, organization, makeUnreadable, statuses, lines } = await prepare({
      due: 40,
    });
    const webhook = buildWebhook({ id: newWebhookId(organization.id) });
    await createWebhook(table, webhook, anyEntry());
    const lost = Array.from({ length: 40 }, () =>
      buildDelivery({ webhookId: webhook.id, dueAt: webhookNow - lateMs }),
    );
    await storeDeliveries(table, lost);
    makeUnreadable(webhook.id);

    const result = await run();

    expect(result).toMatchObject({ delivered: 40 });
    expect(await statuses()).toEqual(Array(40).fill('delivered'));
    const kept = await storedAmong(table, lost);
    expect(kept.map(({ status }) => status)).toEqual(Array(40).fill('pending'));
    const failed = lines.filter(({ message }) => message === 'webhook attempt not recorded');
    expect(failed).toHaveLength(40);
  });

  it('logs each attempt, and publishes how late it was', async () => {
    const { run, deliveries, lines, published } = await prepare({ due: 1 });

    const result = await run();

    expect(published()).toContain(`"WebhookOldestDueLateness":${lateMs}`);
    const fields = { deliveryId: deliveries[0]?.id, result: 'delivered' };
    expect(lines).toEqual([
      { level: 'info', message: 'webhook attempted', fields },
      { level: 'info', message: 'due webhooks attempted', fields: result },
    ]);
  });

  it("continues after an attempt that couldn't be recorded, and logs it", async () => {
    const { run, deliveries, lines } = await prepare({ due: 1, takesWrite: () => false });

    const result = await run();

    expect(result).toEqual(nothing);
    const fields = { deliveryId: deliveries[0]?.id };
    expect(lines).toEqual([{ level: 'error', message: 'webhook attempt not recorded', fields }]);
  });

  it("throws when three attempts couldn't be recorded and none was, so that Lambda counts an error", async () => {
    const { run } = await prepare({ due: 3, takesWrite: () => false });

    await expect(run()).rejects.toThrow('no webhook attempt could be recorded');
  });

  it('succeeds when one of many attempts is recorded', async () => {
    const { run, statuses } = await prepare({ due: 4, takesWrite: (write) => write > 3 });

    const result = await run();

    expect(result).toEqual({ ...nothing, processed: 1, delivered: 1 });
    expect((await statuses()).filter((status) => status === 'delivered')).toHaveLength(1);
  });

  it('starts no attempt when its time is over', async () => {
    const clock = [webhookNow];
    const { run, posts } = await prepare({
      due: 1,
      now: () => clock.shift() ?? webhookNow + workMs,
    });

    await run();

    expect(posts).toEqual([]);
  });
});
