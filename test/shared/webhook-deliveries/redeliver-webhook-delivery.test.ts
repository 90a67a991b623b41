import { describe, expect, it } from 'vitest';
import type { DayQuotaStore } from '#shared/access/day-quota-store';
import { newWebhookId } from '#shared/tokens/resource-id';
import { type Delivery, deliveryStatuses } from '#shared/webhook-deliveries/delivery';
import { redeliverWebhookDelivery } from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import type { Webhook } from '#shared/webhooks/webhook';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  fakeDeliveryStore,
  fakeRedeliveryStore,
  fakeWebhookStore,
} from '../../support/webhook-stores.ts';

type World = {
  readonly original?: Partial<Delivery>;
  /** `undefined`: deleted. */
  readonly webhook?: Partial<Webhook> | undefined;
  /** The results of storing before it succeeds. */
  readonly outcomes?: 'original_changed'[];
  readonly quotas?: Partial<DayQuotaStore>;
};

/** Redelivers a delivery that was created an hour ago, and records the effects in order. */
function prepare({ original: overrides, outcomes = [], quotas = {}, ...world }: World = {}) {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId), ...world.webhook });
  const isDeleted = 'webhook' in world && world.webhook === undefined;
  const original = buildDelivery({
    webhookId: webhook.id,
    createdAt: webhookNow - 3_600_000,
    ...overrides,
  });
  const effects: (readonly [string, ...unknown[]])[] = [];
  const run = (id = original.id) =>
    redeliverWebhookDelivery(
      { ...manager, path: { id } },
      {
        ...manager,
        ...fakeDayQuotas(quotas),
        webhooks: fakeWebhookStore({ get: async () => (isDeleted ? undefined : webhook) }),
        deliveries: fakeDeliveryStore({
          get: async (wanted, now) =>
            wanted === original.id && now < original.expiresAt * 1000 ? original : undefined,
        }),
        redeliveries: fakeRedeliveryStore({
          put: async (...pair) => {
            effects.push(['stored', ...pair]);
            return outcomes.shift() ?? 'stored';
          },
        }),
        wakeQueue: async (deliveries) => {
          effects.push(['woken', deliveries]);
        },
      },
    );
  return { run, original, effects };
}

describe('redeliverWebhookDelivery', () => {
  it('stores a new delivery of the same message, then wakes the queue', async () => {
    const { run, original, effects } = prepare();

    const redelivery = await run();

    expect(effects).toEqual([
      ['stored', original, redelivery],
      ['woken', [redelivery]],
    ]);
    expect(redelivery.id).not.toBe(original.id);
    expect(redelivery).toMatchObject({
      messageId: original.messageId,
      body: original.body,
      type: original.type,
      webhookId: original.webhookId,
      expiresAt: original.expiresAt,
    });
  });

  it("doesn't find an expired delivery", async () => {
    const { run, effects } = prepare({ original: { expiresAt: webhookNow / 1000 } });

    expect((await serviceErrorOf(run)).code).toBe('delivery_not_found');
    expect(effects).toEqual([]);
  });

  it.each(deliveryStatuses)(
    'starts over whatever the status of the original: %s',
    async (status) => {
      const attempts = [{ at: 1, durationMs: 2, error: 'timeout' }];
      const original = { status, attempts, attemptsStarted: 5, leaseExpiresAt: webhookNow };
      const { run } = prepare({ original: { ...original, failureReason: 'attempts_exhausted' } });

      const redelivery = await run();

      expect(redelivery).toMatchObject({
        status: 'pending',
        attempts: [],
        attemptsStarted: 0,
        createdAt: webhookNow,
      });
      expect(redelivery).not.toHaveProperty('failureReason');
      expect(redelivery).not.toHaveProperty('leaseExpiresAt');
    },
  );

  it('stores another delivery each time', async () => {
    const { run } = prepare();

    expect((await run()).id).not.toBe((await run()).id);
  });

  it('reaches a disabled webhook too, and names the original', async () => {
    const { run, original } = prepare({ webhook: { disabled: { reason: 'gone', at: 1 } } });

    expect(await run()).toMatchObject({ status: 'pending', redeliveryOf: original.id });
  });

  it("doesn't find a deleted webhook", async () => {
    const { run, effects } = prepare({ webhook: undefined });

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
    expect(effects).toEqual([]);
  });

  it("reads nothing of another organization's delivery", async () => {
    const { run, effects } = prepare();

    const { code } = await serviceErrorOf(() => run(buildDelivery().id));

    expect(code).toBe('delivery_not_found');
    expect(effects).toEqual([]);
  });

  it('reads the original again when it has changed in between', async () => {
    const { run, effects } = prepare({ outcomes: ['original_changed'] });

    await run();

    expect(effects.map(([effect]) => effect)).toEqual(['stored', 'stored', 'woken']);
  });

  it('repeats nothing once the day’s redelivery limit is used up, and counts a repetition once', async () => {
    const taken: number[] = [];
    const usedUp = prepare({ quotas: { take: async () => false } });
    const contended = prepare({
      outcomes: ['original_changed', 'original_changed'],
      quotas: { take: async (_id, _quota, amount) => taken.push(amount) > 0 },
    });

    const error = await serviceErrorOf(() => usedUp.run());
    await contended.run();

    expect([error.code, usedUp.effects]).toEqual(['delivery_limit_reached', []]);
    expect(taken).toEqual([1]);
  });
});
