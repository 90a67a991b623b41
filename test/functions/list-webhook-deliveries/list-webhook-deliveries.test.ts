import { describe, expect, it } from 'vitest';
import type { Scope } from '#shared/access/scopes';
import { deliveryIdOf } from '#shared/tokens/delivery-id';
import { feedbackIdOf, organizationIdOf, type SendId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import { endpoint } from '../../../functions/list-webhook-deliveries/list-webhook-deliveries.ts';
import { buildDelivery, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { callerWith } from '../../support/manager-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { storeDeliveries } from '../../support/stored-delivery.ts';
import { surroundings } from '../../support/surroundings.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

/** A webhook whose log has these deliveries. */
async function prepare(log: readonly Parameters<typeof buildDelivery>[0][]) {
  const account = await openWebhookAccount();
  const { caller, table, webhook } = account;
  const deliveries = log.map((one) => buildDelivery({ ...one, webhookId: webhook.id }));
  await storeDeliveries(table, deliveries);
  const list = (query: Record<string, string> = {}) =>
    endpoint.run(
      { ...surroundings, caller, path: { id: webhook.id }, query: endpoint.query.parse(query) },
      account,
    );
  return {
    list,
    table,
    webhook,
    views: deliveries.map((one) => toDeliveryView(one, caller)),
    caller,
  };
}

const anyManager = callerWith(buildApiKey({ scopes: ['manage_organization'] }).apiKey);

const log = [
  { createdAt: webhookNow + 3, status: 'failed', type: 'email.sent' },
  { createdAt: webhookNow + 2, status: 'delivered', type: 'email.sent' },
  { createdAt: webhookNow + 1, status: 'failed', type: 'webhook.test' },
] as const;

describe('listWebhookDeliveries', () => {
  it.each([
    { query: {}, shown: [0, 1, 2] },
    { query: { limit: '2' }, shown: [0, 1] },
    { query: { status: 'failed' }, shown: [0, 2] },
    { query: { type: 'email.sent' }, shown: [0, 1] },
    { query: { status: 'failed', type: 'email.sent' }, shown: [0] },
    { query: { status: 'pending' }, shown: [] },
  ])('returns for $query the deliveries $shown', async ({ query, shown }) => {
    const { list, views } = await prepare(log);

    const { data } = await list(query);

    expect(data).toEqual(shown.map((index) => views[index]));
  });

  it('returns the deliveries about one send', async () => {
    const { caller, list, table, webhook } = await prepare([]);
    const organizationId = organizationIdOf(webhook.id);
    const [one, other] = [newSendId(organizationId), newSendId(organizationId)];
    const deliveryOf = (sendId: SendId, type: Delivery['type'], createdAt: number): Delivery => {
      const delivery = buildDelivery({ type, createdAt, webhookId: webhook.id });
      const { messageId } = delivery;
      return { ...delivery, id: deliveryIdOf(feedbackIdOf(sendId), messageId, webhook.id) };
    };
    const opened = deliveryOf(one, 'email.opened', webhookNow + 2);
    const sent = deliveryOf(one, 'email.sent', webhookNow);
    await storeDeliveries(table, [sent, deliveryOf(other, 'email.sent', webhookNow + 1), opened]);

    const all = await list({ send: one });
    const ofType = await list({ send: one, type: 'email.sent' });

    expect(all.data).toEqual([opened, sent].map((delivery) => toDeliveryView(delivery, caller)));
    expect(ofType.data).toEqual([toDeliveryView(sent, caller)]);
  });

  it('leaves out expired deliveries', async () => {
    const [kept, ...others] = log;
    const expired = others.map((one) => ({ ...one, expiresAt: webhookNow / 1000 }));
    const { list, views } = await prepare([kept, ...expired]);

    const { data } = await list();

    expect(data).toEqual([views[0]]);
  });

  it('continues at a cursor only with the same filters', async () => {
    const { list, views } = await prepare(log);
    const cursor = (await list({ status: 'failed', limit: '1' })).nextCursor ?? '';

    const rest = await list({ status: 'failed', cursor });
    const error = await serviceErrorOf(() => list({ status: 'pending', cursor }));

    expect(rest).toEqual({ data: [views[2]], nextCursor: null });
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });
});

describe('the query', () => {
  it('asks for twenty of any kind by default', () => {
    expect(endpoint.query.parse({})).toEqual({ limit: 20 });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1.5' },
    { limit: 'ten' },
    { limit: '' },
    { limit: '5,6' },
    { status: 'lost' },
    { type: 'sent' },
    { send: 'snd_1' },
    { page: '2' },
  ])('is refused with %o', (query) => {
    expect(endpoint.query.safeParse(query).success).toBe(false);
  });
});

describe('what a delivery of the audit says', () => {
  const shownTo = (scopes: readonly Scope[]) => {
    const { apiKey } = buildApiKey({ scopes: [...scopes] });
    const delivery = buildDelivery({ type: 'audit.recorded' });
    return toDeliveryView(delivery, callerWith(apiKey)).payload === delivery.body;
  };

  it('is shown only to those who may read the audit', () => {
    expect(shownTo(['manage_organization'])).toBe(true);
    expect(shownTo(['webhooks_read', 'webhooks_redeliver'])).toBe(false);
  });
});

describe('the response', () => {
  const show = (delivery: Delivery) =>
    endpoint.answers[200].body.parse({
      data: [toDeliveryView(delivery, anyManager)],
      nextCursor: null,
    }).data[0];

  it('shows when the next attempt at a pending delivery may begin', () => {
    const delivery = buildDelivery();

    expect(show(delivery)).toEqual({
      id: delivery.id,
      messageId: delivery.messageId,
      type: 'email.delivered',
      status: 'pending',
      attempts: [],
      payload: delivery.body,
      nextAttemptAt: delivery.dueAt,
      createdAt: webhookNow,
    });
  });

  it('shows the attempts of a failed delivery, the reason, and the delivery that repeats it', () => {
    const attempts = [
      { at: 1, durationMs: 2, statusCode: 500, answer: 'no' },
      { at: 3, durationMs: 4, error: 'timeout' },
    ];
    const redeliveredAs = buildDelivery().id;
    const rest = { attempts, failureReason: 'attempts_exhausted', redeliveredAs };

    const shown = show(buildDelivery({ status: 'failed', ...rest }));

    expect(shown).toMatchObject({ status: 'failed', ...rest });
    expect(shown).not.toHaveProperty('nextAttemptAt');
  });
});
