import { dueDeliveries } from '#shared/table/delivery-keys';
import type { DeliveryLogStore } from '#shared/webhook-deliveries/delivery-log-store';
import type { DeliveryStore, DueDeliveryStore } from '#shared/webhook-deliveries/delivery-store';
import type { RedeliveryStore } from '#shared/webhook-deliveries/redelivery-store';
import type { WebhookHealthStore } from '#shared/webhooks/webhook-health-store';
import type { WebhookStore } from '#shared/webhooks/webhook-store';
import { unexpected } from './unexpected.ts';

/** Fakes the store of webhooks. Functions that are not given throw. */
export const fakeWebhookStore = (given: Partial<WebhookStore> = {}): WebhookStore => ({
  putNew: unexpected('webhooks.putNew'),
  replace: unexpected('webhooks.replace'),
  delete: unexpected('webhooks.delete'),
  get: unexpected('webhooks.get'),
  list: unexpected('webhooks.list'),
  ...given,
});

/** Fakes the store of endpoints' health. Functions that are not given throw. */
export const fakeWebhookHealthStore = (
  given: Partial<WebhookHealthStore> = {},
): WebhookHealthStore => ({
  noteExhausted: unexpected('healths.noteExhausted'),
  noteSlowness: unexpected('healths.noteSlowness'),
  noteDelivered: unexpected('healths.noteDelivered'),
  noteFailing: unexpected('healths.noteFailing'),
  noteWorking: unexpected('healths.noteWorking'),
  ...given,
});

/** Fakes the store of deliveries. Functions that are not given throw. */
export const fakeDeliveryStore = (given: Partial<DeliveryStore> = {}): DeliveryStore => ({
  store: unexpected('deliveries.store'),
  putNew: unexpected('deliveries.putNew'),
  get: unexpected('deliveries.get'),
  ...given,
});

/** Fakes the log of deliveries. Functions that are not given throw. */
export const fakeDeliveryLogStore = (given: Partial<DeliveryLogStore> = {}): DeliveryLogStore => ({
  findEntries: unexpected('deliveryLogs.findEntries'),
  findEntriesOfSend: unexpected('deliveryLogs.findEntriesOfSend'),
  getDeliveries: unexpected('deliveryLogs.getDeliveries'),
  ...given,
});

/** Fakes the store of redeliveries. Functions that are not given throw. */
export const fakeRedeliveryStore = (given: Partial<RedeliveryStore> = {}): RedeliveryStore => ({
  put: unexpected('redeliveries.put'),
  putFirst: unexpected('redeliveries.putFirst'),
  ...given,
});

/** Fakes the index of due deliveries. Functions that are not given throw. */
export const fakeDueDeliveryStore = (given: Partial<DueDeliveryStore> = {}): DueDeliveryStore => ({
  shards: dueDeliveries.shards,
  findOwners: unexpected('dueDeliveries.findOwners'),
  find: unexpected('dueDeliveries.find'),
  ...given,
});
