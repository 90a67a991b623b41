import { describe, expect, it } from 'vitest';
import { createSharedReads, deleteWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';
import { buildWebhook } from './webhook-builder.ts';

/** A webhook whose reads are shared for a second. Another process may delete it. */
async function openShared() {
  const account = await openWebhookAccount();
  const { table, webhook, clock, now, callsOf } = account;
  return {
    ...{ webhook, clock },
    reads: createSharedReads(table, 1_000, now),
    deleteElsewhere: () => deleteWebhook(table, webhook.id, anyEntry()),
    callsOf,
  };
}

describe('a shared read of a webhook', () => {
  it('serves everyone who asks within its time, even while it is under way', async () => {
    const { webhook, clock, reads, callsOf } = await openShared();
    const unknown = buildWebhook();

    const calls = await callsOf(async () => {
      const together = [webhook, webhook, unknown].map(({ id }) => reads.get(id));
      expect(await Promise.all(together)).toEqual([webhook, webhook, undefined]);
      clock.at += 999;
      expect(await reads.get(webhook.id)).toEqual(webhook);
    });

    expect(calls).toEqual(['GetItem', 'GetItem']);
  });

  it('is repeated when its time is over', async () => {
    const { webhook, clock, reads, deleteElsewhere } = await openShared();
    await reads.get(webhook.id);
    await deleteElsewhere();

    clock.at += 1_000;

    expect(await reads.get(webhook.id)).toBeUndefined();
  });

  it('is repeated once this process has changed the webhook', async () => {
    const { webhook, reads, deleteElsewhere } = await openShared();
    await reads.get(webhook.id);
    await deleteElsewhere();

    reads.forget(webhook.id);

    expect(await reads.get(webhook.id)).toBeUndefined();
  });

  it('that failed serves nobody who asks later', async () => {
    const webhook = buildWebhook();
    let fails = false;
    const { table } = openMemoryTable({
      intercept: (_call, run) => (fails ? Promise.reject(new Error('throttled')) : run()),
    });
    const reads = createSharedReads(table, 1_000, () => 0);

    fails = true;
    await expect(reads.get(webhook.id)).rejects.toThrow('throttled');
    fails = false;

    expect(await reads.get(webhook.id)).toBeUndefined();
  });
});
