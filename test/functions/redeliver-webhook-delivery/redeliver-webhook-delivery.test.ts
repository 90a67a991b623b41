import { describe, expect, it } from 'vitest';
import { type Delivery, deliveryStatuses } from '#shared/deliveries/delivery';
import { readPath } from '#shared/http/parse-request';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { endpoint } from '../../../functions/redeliver-webhook-delivery/endpoint.ts';
import { redeliverWebhookDelivery } from '../../../functions/redeliver-webhook-delivery/redeliver-webhook-delivery.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';
import {
  fakeDeliveryStore,
  fakeRedeliveryStore,
  fakeWebhookStore,
} from '../../support/webhook-stores.ts';

type World = {
  readonly manager?: ReturnType<typeof buildManager>;
  readonly original?: Partial<Delivery>;
  /** `undefined`: deleted. */
  readonly webhook?: Partial<Webhook> | undefined;
};

/** Replays a delivery that was created an hour ago, and records the effects in order. */
function prepare({ manager = buildManager(), original: overrides, ...world }: World = {}) {
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId), ...world.webhook });
  const isDeleted = 'webhook' in world && world.webhook === undefined;
  const original = buildDelivery({
    webhookId: webhook.id,
    createdAt: webhookNow - 3_600_000,
    ...overrides,
  });
  const effects: (readonly [string, ...unknown[]])[] = [];
  const run = (id: string = original.id) =>
    redeliverWebhookDelivery(manager.credential, readPath(endpoint.path, { id }).id, {
      ...manager,
      webhooks: fakeWebhookStore({ get: async () => (isDeleted ? undefined : webhook) }),
      deliveries: fakeDeliveryStore({
        get: async (wanted, now) =>
          wanted === original.id && now < original.expiresAt * 1000 ? original : undefined,
      }),
      redeliveries: fakeRedeliveryStore({
        put: async (...pair) => {
          effects.push(['stored', ...pair]);
          return 'stored';
        },
      }),
      wakeQueue: async (deliveries) => {
        effects.push(['woken', deliveries]);
      },
    });
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

  it('does not find a delivery that is expired', async () => {
    const { run, effects } = prepare({ original: { expiresAt: webhookNow / 1000 } });

    expect((await serviceErrorOf(run)).code).toBe('delivery_not_found');
    expect(effects).toEqual([]);
  });

  it.each(deliveryStatuses)(
    'begins anew whatever the status of the original: %s',
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

  it('reaches a disabled webhook too, and names the delivery that it repeats', async () => {
    const { run, original } = prepare({ webhook: { disabled: { reason: 'gone', at: 1 } } });

    expect(await run()).toMatchObject({ status: 'pending', redeliveryOf: original.id });
  });

  it('does not find the webhook when it was deleted', async () => {
    const { run, effects } = prepare({ webhook: undefined });

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
    expect(effects).toEqual([]);
  });

  it.each([
    '',
    'nonsense',
    'dlv_',
    newWebhookId(buildManager().organizationId),
    buildDelivery().id,
  ])('does not find a delivery %j', async (id) => {
    const { run, effects } = prepare();

    expect((await serviceErrorOf(() => run(id))).code).toBe('delivery_not_found');
    expect(effects).toEqual([]);
  });

  it("does not find another organization's delivery", async () => {
    const foreign = prepare();
    const { credential, apiKeys, now } = buildManager();

    const error = await serviceErrorOf(() =>
      redeliverWebhookDelivery(credential, foreign.original.id, {
        apiKeys,
        now,
        webhooks: fakeWebhookStore(),
        deliveries: fakeDeliveryStore(),
        redeliveries: fakeRedeliveryStore(),
        wakeQueue: unexpected('wakeQueue'),
      }),
    );

    expect(error.code).toBe('delivery_not_found');
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      redeliverWebhookDelivery(credential, buildDelivery().id, {
        ...authentication,
        webhooks: fakeWebhookStore(),
        deliveries: fakeDeliveryStore(),
        redeliveries: fakeRedeliveryStore(),
        wakeQueue: unexpected('wakeQueue'),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
