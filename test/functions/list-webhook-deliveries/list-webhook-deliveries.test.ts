import { describe, expect, it } from 'vitest';
import { deliveryIdOf, deliveryParentOf } from '#shared/tokens/delivery-id';
import {
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  type SendId,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { logPositionSchema } from '#shared/webhook-deliveries/delivery-log-store';
import { toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import {
  endpoint,
  listWebhookDeliveries,
} from '../../../functions/list-webhook-deliveries/list-webhook-deliveries.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

const entryOf = ({ id, createdAt }: Delivery) => ({
  id,
  position: logPositionSchema.parse(`00${createdAt}#${id.slice(-16)}`),
});

const entriesOf = (log: readonly Delivery[], before: string | undefined) =>
  log.map(entryOf).filter(({ position }) => before === undefined || position < before);

const tellsOf = (sendId: SendId) => (delivery: Delivery) =>
  deliveryParentOf(delivery.id).id === feedbackIdOf(sendId);

/** Lists the deliveries of a webhook whose log holds these, newest first. */
function prepare(query: Record<string, string>, log: readonly Delivery[] = []) {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });
  const run = (asked = query) =>
    listWebhookDeliveries(
      { ...manager, path: { id: webhook.id }, query: endpoint.query.parse(asked) },
      {
        ...manager,
        webhooks: fakeWebhookStore({ get: async () => webhook }),
        deliveryLogs: {
          findEntries: async (webhookId, before, count) =>
            entriesOf(log, before).slice(0, webhookId === webhook.id ? count : 0),
          findEntriesOfSend: async (webhookId, sendId, before, count) =>
            entriesOf(log.filter(tellsOf(sendId)), before).slice(
              0,
              webhookId === webhook.id ? count : 0,
            ),
          getDeliveries: async (_ids, now) => {
            const kept = log.filter(({ expiresAt }) => now < expiresAt * 1000);
            return new Map(kept.map((delivery) => [delivery.id, delivery]));
          },
        },
      },
    );
  return { run };
}

const log = [
  buildDelivery({ createdAt: webhookNow + 3, status: 'failed', type: 'email.sent' }),
  buildDelivery({ createdAt: webhookNow + 2, status: 'delivered', type: 'email.sent' }),
  buildDelivery({ createdAt: webhookNow + 1, status: 'failed', type: 'webhook.test' }),
];

describe('listWebhookDeliveries', () => {
  it.each([
    { query: {}, shown: [0, 1, 2] },
    { query: { limit: '2' }, shown: [0, 1] },
    { query: { status: 'failed' }, shown: [0, 2] },
    { query: { type: 'email.sent' }, shown: [0, 1] },
    { query: { status: 'failed', type: 'email.sent' }, shown: [0] },
    { query: { status: 'pending' }, shown: [] },
  ])('returns for $query the deliveries $shown', async ({ query, shown }) => {
    const { deliveries } = await prepare(query, log).run();

    expect(deliveries).toEqual(shown.map((index) => log[index]));
  });

  it('returns the deliveries about one send', async () => {
    const organizationId = newOrganizationId();
    const [one, other] = [newSendId(organizationId), newSendId(organizationId)];
    const toldOf = (sendId: SendId, type: Delivery['type']): Delivery => {
      const delivery = buildDelivery({ type });
      const { messageId, webhookId } = delivery;
      return { ...delivery, id: deliveryIdOf(feedbackIdOf(sendId), messageId, webhookId) };
    };
    const mixed = [
      toldOf(one, 'email.sent'),
      toldOf(other, 'email.sent'),
      toldOf(one, 'email.opened'),
    ];
    const { run } = prepare({ send: one }, mixed);

    expect((await run()).deliveries).toEqual([mixed[0], mixed[2]]);
    expect((await run({ send: one, type: 'email.sent' })).deliveries).toEqual([mixed[0]]);
  });

  it('leaves out expired deliveries', async () => {
    const [kept = buildDelivery(), ...others] = log;
    const expired = others.map((delivery) => ({ ...delivery, expiresAt: webhookNow / 1000 }));

    const { deliveries } = await prepare({}, [kept, ...expired]).run();

    expect(deliveries).toEqual([kept]);
  });

  it('continues at a cursor only with the same filters', async () => {
    const { run } = prepare({ status: 'failed', limit: '1' }, log);
    const cursor = (await run()).nextCursor ?? '';

    const rest = await run({ status: 'failed', cursor });
    const error = await serviceErrorOf(() => run({ status: 'pending', cursor }));

    expect(rest).toEqual({ deliveries: [log[2]], nextCursor: null });
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

describe('the response', () => {
  const show = (delivery: Delivery) =>
    endpoint.answers[200].body.parse({ data: [toDeliveryView(delivery)], nextCursor: null })
      .data[0];

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
