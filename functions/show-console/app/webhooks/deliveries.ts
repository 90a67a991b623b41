import type { Answer } from '../../../api.ts';
import { every, type Tone } from '../shared/words.ts';

export type Webhook = Answer<'GET /api/v1/webhooks'>['data'][number];
export type Delivery = Answer<'GET /api/v1/webhooks/{id}/deliveries'>['data'][number];

/** What an endpoint can subscribe to. */
export const eventTypes = every<Webhook['eventTypes'][number]>()([
  'email.scheduled',
  'email.suppressed',
  'email.sent',
  'email.failed',
  'email.delayed',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
  'suppression.added',
  'suppression.removed',
  'identity.active',
]);

export const deliveryStatuses = every<Delivery['status']>()(['pending', 'delivered', 'failed']);
export const deliveryWords = {
  pending: ['Waiting', 'quiet'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Delivery['status'], readonly [string, Tone]>;
