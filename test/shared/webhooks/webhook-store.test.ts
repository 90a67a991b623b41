import { describe, expect, it } from 'vitest';
import type { Webhook } from '#shared/webhooks/webhook';
import { withSharedReads } from '#shared/webhooks/webhook-store';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';
import { buildWebhook } from './webhook-builder.ts';

/** A store of these webhooks whose reads are shared for a second, and a clock. */
function openShared(...stored: Webhook[]) {
  const clock = { now: 0 };
  const reads: string[] = [];
  const store = fakeWebhookStore({
    get: async (id) => {
      reads.push(id);
      return stored.find((webhook) => webhook.id === id);
    },
    replace: async (before, after) => {
      stored.splice(stored.indexOf(before), 1, after);
      return 'stored';
    },
  });
  return { clock, reads, webhooks: withSharedReads(store, 1_000, () => clock.now) };
}

describe('a shared read of a webhook', () => {
  it('serves all who ask within its time, also while it is under way', async () => {
    const [one, other] = [buildWebhook(), buildWebhook()];
    const { clock, reads, webhooks } = openShared(one, other);

    const together = await Promise.all([one, one, other].map(({ id }) => webhooks.get(id)));
    clock.now = 999;
    const later = await webhooks.get(one.id);

    expect([...together, later]).toEqual([one, one, other, one]);
    expect(reads).toEqual([one.id, other.id]);
  });

  it('is made anew when its time is over', async () => {
    const webhook = buildWebhook();
    const { clock, reads, webhooks } = openShared(webhook);
    await webhooks.get(webhook.id);

    clock.now = 1_000;
    await webhooks.get(webhook.id);

    expect(reads).toHaveLength(2);
  });

  it('does not outlive a change by this process', async () => {
    const webhook = buildWebhook();
    const disabled = { ...webhook, disabled: { reason: 'gone', at: 1 } } as const;
    const { webhooks } = openShared(webhook);
    await webhooks.get(webhook.id);

    await webhooks.replace(webhook, disabled);

    expect(await webhooks.get(webhook.id)).toEqual(disabled);
  });

  it('that failed serves nobody who asks later', async () => {
    const webhook = buildWebhook();
    let fails = true;
    const get = () => (fails ? Promise.reject(new Error('throttled')) : Promise.resolve(webhook));
    const webhooks = withSharedReads(fakeWebhookStore({ get }), 1_000, () => 0);

    await expect(webhooks.get(webhook.id)).rejects.toThrow('throttled');
    fails = false;

    expect(await webhooks.get(webhook.id)).toEqual(webhook);
  });
});
