import { describe, expect, it } from 'vitest';
import { maxExamined } from '#shared/table/list-search';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import type { Webhook } from '#shared/webhooks/webhook';
import {
  endpoint,
  endpoint as redeliverFailedDeliveries,
} from '../../../functions/redeliver-failed-deliveries/redeliver-failed-deliveries.ts';
import { buildDelivery, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { storeDeliveries } from '../../support/stored-delivery.ts';
import { surroundings } from '../../support/surroundings.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Build = (index: number) => Partial<Delivery>;

/** A webhook with a log of deliveries, newest first, a second apart. */
async function openWorld(count: number, build: Build, overrides: Partial<Webhook> = {}) {
  const account = await openWebhookAccount(overrides);
  const { caller, table, webhook } = account;
  const log = Array.from({ length: count }, (_, index) => {
    const createdAt = webhookNow - (index + 1) * 1_000;
    return buildDelivery({ createdAt, ...build(index), webhookId: webhook.id });
  });
  await storeDeliveries(table, log);
  const run = (body: unknown, given: { maxAttempts?: number; limitsOfDeployment?: object } = {}) =>
    redeliverFailedDeliveries.run(
      { ...surroundings, caller, path: { id: webhook.id }, body: endpoint.body.parse(body) },
      { maxAttempts: 5, ...account, ...given },
    );
  const written = () =>
    account
      .items()
      .filter((item) => 'redeliveryOf' in item)
      .map(toDelivery);
  return { ...account, run, log, written };
}

const everyOtherFailed: Build = (index) => ({ status: index % 2 === 0 ? 'failed' : 'delivered' });
const allFailed: Build = () => ({ status: 'failed' });
const messagesOf = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ messageId }) => messageId).toSorted();

describe('redeliverFailedDeliveries', () => {
  it('redelivers each failed delivery, with the same message, due at once', async () => {
    const { run, written, log } = await openWorld(20, everyOtherFailed);

    const result = await run({ since: 0 });

    expect(result).toEqual({ redelivered: 10, nextCursor: null });
    expect(messagesOf(written())).toEqual(
      messagesOf(log.filter(({ status }) => status === 'failed')),
    );
    for (const redelivery of written()) {
      expect(redelivery).toMatchObject({ status: 'pending', attempts: [], dueAt: webhookNow });
      expect(redelivery.expiresAt).toBe(log[0]?.expiresAt);
    }
  });

  it('goes back to the given time, written as a number or as text', async () => {
    const since = webhookNow - 5_000;
    const [number, text] = [await openWorld(20, allFailed), await openWorld(20, allFailed)];

    expect(await number.run({ since })).toMatchObject({ redelivered: 5 });
    expect(await text.run({ since: new Date(since).toISOString() })).toMatchObject({
      redelivered: 5,
    });
  });

  it('goes by when a delivery failed, not when it was created', async () => {
    const since = webhookNow - 5_000;
    const failedAt = [since - 1, since, since + 1];
    const made: Build = (index) => ({
      status: 'failed',
      createdAt: since - 3 * hourMs - index,
      updatedAt: failedAt[index] ?? 0,
    });
    const { run, written, log } = await openWorld(3, made);

    expect(await run({ since })).toEqual({ redelivered: 2, nextCursor: null });
    expect(messagesOf(written())).toEqual(messagesOf(log.slice(1)));
  });

  it.each([5, 28, 100])('reaches one that failed after all of %i attempts', async (maxAttempts) => {
    const since = webhookNow - 5_000;
    const createdAt = since - maxAttempts * hourMs;
    const { run } = await openWorld(1, () => ({ status: 'failed', createdAt, updatedAt: since }));

    expect(await run({ since }, { maxAttempts })).toMatchObject({ redelivered: 1 });
  });

  it('reaches one that waited out a pause of days, or had more attempts before a change', async () => {
    const since = webhookNow - 5_000;
    const createdAt = since - 25 * dayMs;
    const given: Build = () => ({ status: 'failed', createdAt, updatedAt: since });
    const { run } = await openWorld(1, given, { updatedAt: since - hourMs, maxAttempts: 1 });

    expect(await run({ since })).toEqual({ redelivered: 1, nextCursor: null });
  });

  it('goes through the whole log by its cursor where the endpoint was changed lately', async () => {
    const since = webhookNow - 5_000;
    const made: Build = (index) => ({
      status: 'failed',
      createdAt: since - 20 * dayMs - index,
      updatedAt: index < maxExamined ? since - 1 : since,
    });
    const { run } = await openWorld(maxExamined + 3, made, { updatedAt: since });

    const first = await run({ since });
    expect(first).toEqual({ redelivered: 0, nextCursor: expect.any(String) });
    const rest = await run({ since, cursor: first.nextCursor });
    expect(rest).toEqual({ redelivered: 3, nextCursor: null });
  });

  it("doesn't read what can't have failed since then, where the endpoint is as it was", async () => {
    const made: Build = () => ({ status: 'delivered', createdAt: webhookNow - 20 * dayMs });
    const unchanged = { createdAt: 0, updatedAt: webhookNow - 30 * dayMs };
    const { run } = await openWorld(maxExamined + 3, made, unchanged);

    expect(await run({ since: webhookNow })).toEqual({ redelivered: 0, nextCursor: null });
  });

  it('redelivers nothing twice when it runs twice', async () => {
    const { run, written } = await openWorld(20, allFailed);
    await run({ since: 0 });

    const again = await run({ since: 0 });

    expect(again).toEqual({ redelivered: 0, nextCursor: null });
    expect(written()).toHaveLength(20);
  });

  it('redelivers nothing twice when it runs twice at the same moment', async () => {
    const { run, written, log } = await openWorld(200, allFailed);

    const results = await Promise.all([run({ since: 0 }), run({ since: 0 })]);

    expect(results.reduce((sum, { redelivered }) => sum + redelivered, 0)).toBe(200);
    expect(messagesOf(written())).toEqual(messagesOf(log));
  });

  it('redelivers the rest after it died halfway', async () => {
    const { run, written, log, beforeNextWrite } = await openWorld(50, allFailed);
    const goOn = async () => {};
    const die = () => Promise.reject(new Error('the process dies'));
    beforeNextWrite(goOn, goOn, goOn, die);
    await expect(run({ since: 0 })).rejects.toThrow('the process dies');
    const early = written().length;

    const again = await run({ since: 0 });

    expect(early).toBeLessThan(50);
    expect(again.redelivered).toBe(50 - early);
    expect(messagesOf(written())).toEqual(messagesOf(log));
  });

  it('leaves out deliveries that were redelivered one by one', async () => {
    const redelivered: Build = () => ({ status: 'failed', redeliveredAs: buildDelivery().id });
    const { run } = await openWorld(5, redelivered);

    expect(await run({ since: 0 })).toMatchObject({ redelivered: 0 });
  });

  it('leaves out expired deliveries', async () => {
    const expired: Build = (index) => ({
      status: 'failed',
      ...(index < 2 && { expiresAt: webhookNow / 1000 }),
    });
    const { run } = await openWorld(5, expired);

    expect(await run({ since: 0 })).toMatchObject({ redelivered: 3 });
  });

  it('handles a part in one request, and continues in the next', async () => {
    const { run, written } = await openWorld(maxExamined + 120, everyOtherFailed);

    const first = await run({ since: 0 });
    const second = await run({ since: 0, cursor: first.nextCursor });

    expect(first.redelivered).toBe(maxExamined / 2);
    expect(second).toEqual({ redelivered: 60, nextCursor: null });
    expect(written()).toHaveLength(maxExamined / 2 + 60);
  });

  it('reaches a disabled webhook too', async () => {
    const disabled = { reason: 'gone', at: 1 } as const;
    const { run, written } = await openWorld(5, allFailed, { disabled });

    expect(await run({ since: 0 })).toMatchObject({ redelivered: 5 });
    expect(written()).toHaveLength(5);
  });
});

describe('a day’s limit of requested deliveries', () => {
  it('accepts all of a request, or none', async () => {
    const { run, written } = await openWorld(7, allFailed);
    const limitTo = (requestedDeliveriesPerDay: number) => ({
      limitsOfDeployment: { requestedDeliveriesPerDay },
    });

    const error = await serviceErrorOf(() => run({ since: 0 }, limitTo(6)));
    const refused = written();
    const accepted = await run({ since: 0 }, limitTo(7));

    expect([error.code, refused]).toEqual(['delivery_limit_reached', []]);
    expect(accepted.redelivered).toBe(7);
  });

  it('gets back what a concurrent request repeated', async () => {
    const { run, written, beforeNextWrite, usedOf } = await openWorld(7, allFailed);
    beforeNextWrite(() => run({ since: 0 }));

    const { redelivered } = await run({ since: 0 });

    expect(redelivered).toBe(0);
    expect(written()).toHaveLength(7);
    expect(await usedOf('DELIVERIES')).toBe(7);
  });
});

describe('the request', () => {
  it.each([
    ['without a moment', {}],
    ['with seconds and a fraction', { since: 1.5 }],
    ['with a moment before the epoch', { since: -1 }],
    ['with a number as text', { since: '1750000000000' }],
    ['with a day only', { since: '2026-01-31' }],
    ['with a time of no time zone', { since: '2026-01-31T12:00:00' }],
    ['with a cursor that is not text', { since: 0, cursor: null }],
    ['with a field that is not known', { since: 0, until: 1 }],
  ])('%s is rejected', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });

  it('accepts a time in any time zone', () => {
    expect(endpoint.body.parse({ since: '2026-01-31T12:00:00+02:00' }).since).toBe(
      Date.UTC(2026, 0, 31, 10),
    );
  });
});
