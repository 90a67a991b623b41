import { describe, expect, it } from 'vitest';
import { type Delivery, deliveryStatuses } from '#shared/webhook-deliveries/delivery';
import { getDelivery, toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { redeliverWebhookDelivery } from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import type { Webhook } from '#shared/webhooks/webhook';
import { deleteWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { storeDeliveries, storeDelivery } from '../../support/stored-delivery.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';
import { webhookNow } from '../webhooks/webhook-builder.ts';

/** A webhook with a delivery that was created an hour ago. */
async function prepare(given: Partial<Delivery> = {}, webhookGiven: Partial<Webhook> = {}) {
  const account = await openWebhookAccount(webhookGiven);
  const { caller, table, webhook } = account;
  const original = await storeDelivery(table, {
    createdAt: webhookNow - 3_600_000,
    ...given,
    webhookId: webhook.id,
  });
  return {
    ...account,
    original,
    run: (id = original.id, limitsOfDeployment = {}) =>
      redeliverWebhookDelivery({ caller, path: { id } }, { ...account, limitsOfDeployment }),
    redeliveries: () =>
      account
        .items()
        .filter((item) => 'redeliveryOf' in item)
        .map(toDelivery),
    /** A person is erased from the body of the original. */
    changeBody: () => storeDeliveries(table, [{ ...original, body: '{}' }]),
  };
}

describe('redeliverWebhookDelivery', () => {
  it('stores a new delivery of the same message, then wakes the queue', async () => {
    const { run, original, woken } = await prepare();

    const redelivery = await run();

    expect(woken).toEqual([redelivery]);
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
    const { run, redeliveries } = await prepare({ expiresAt: webhookNow / 1000 });

    expect((await serviceErrorOf(run)).code).toBe('delivery_not_found');
    expect(redeliveries()).toEqual([]);
  });

  it.each(deliveryStatuses)(
    'starts over whatever the status of the original: %s',
    async (status) => {
      const attempts = [{ at: 1, durationMs: 2, error: 'timeout' }];
      const original = { status, attempts, attemptsStarted: 5, leaseExpiresAt: webhookNow };
      const { run } = await prepare({ ...original, failureReason: 'attempts_exhausted' });

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

  it('stores another delivery each time, and names the last one in a failed original', async () => {
    const { run, original, table, redeliveries } = await prepare({ status: 'failed' });

    const [one, other] = [await run(), await run()];

    expect(other.id).not.toBe(one.id);
    expect(redeliveries()).toHaveLength(2);
    expect(await getDelivery(table, original.id, webhookNow)).toMatchObject({
      redeliveredAs: other.id,
    });
  });

  it('reaches a disabled webhook too, and names the original', async () => {
    const { run, original } = await prepare({}, { disabled: { reason: 'gone', at: 1 } });

    expect(await run()).toMatchObject({ status: 'pending', redeliveryOf: original.id });
  });

  it("doesn't find a deleted webhook", async () => {
    const { run, table, webhook, redeliveries } = await prepare();
    await deleteWebhook(table, webhook.id, anyEntry());

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
    expect(redeliveries()).toEqual([]);
  });

  it("doesn't find another organization's delivery", async () => {
    const { run, table, redeliveries } = await prepare();
    const foreign = await storeDelivery(table);

    const { code } = await serviceErrorOf(() => run(foreign.id));

    expect(code).toBe('delivery_not_found');
    expect(redeliveries()).toEqual([]);
  });

  it('repeats the body as it is when it has changed in between, and counts once', async () => {
    const { run, beforeNextWrite, changeBody, redeliveries, usedOf } = await prepare();
    const goOn = async () => {};
    beforeNextWrite(goOn, changeBody);

    const redelivery = await run();

    expect(redelivery.body).toBe('{}');
    expect(redeliveries()).toEqual([redelivery]);
    expect(await usedOf('DELIVERIES')).toBe(1);
  });

  it('repeats nothing once the day’s redelivery limit is used up', async () => {
    const { run, original, redeliveries } = await prepare();
    const limits = { requestedDeliveriesPerDay: 1 };
    await run(original.id, limits);

    const error = await serviceErrorOf(() => run(original.id, limits));

    expect(error.code).toBe('delivery_limit_reached');
    expect(redeliveries()).toHaveLength(1);
  });
});
