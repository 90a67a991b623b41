import { digest, randomBase32 } from './base32.ts';
import {
  type ContactId,
  contactIdSchema,
  type DeliveryId,
  deliveryIdSchema,
  type FeedbackId,
  feedbackIdSchema,
  type WebhookId,
  type WebhookMessageId,
  webhookIdSchema,
} from './resource-id.ts';

/** Deterministic, so the same delivery can be stored only once. */
export const deliveryIdOf = (
  parent: FeedbackId | ContactId | WebhookId,
  messageId: WebhookMessageId,
  webhookId: WebhookId,
): DeliveryId => deliveryIdIn(parent, digest(`${messageId} ${webhookId}`));

/** For a redelivery on request, with the same message. */
export const newDeliveryId = (original: DeliveryId): DeliveryId =>
  deliveryIdIn(deliveryParentOf(original).id, randomBase32());

/** A delivery's send or contact, or the webhook being tested. */
export type DeliveryParent =
  | { readonly kind: 'send'; readonly id: FeedbackId }
  | { readonly kind: 'contact'; readonly id: ContactId }
  | { readonly kind: 'webhook'; readonly id: WebhookId };

/** The length of the delivery's own part, which follows its parent's. */
const digestLength = 16;

export function deliveryParentOf(id: DeliveryId): DeliveryParent {
  const own = `${id.slice(4, 20)}${id.slice(21, -digestLength)}`;
  switch (id.charAt(20)) {
    case 's':
      return { kind: 'send', id: feedbackIdSchema.parse(`fbk_${own}`) };
    case 'c':
      return { kind: 'contact', id: contactIdSchema.parse(`con_${own}`) };
    default:
      return { kind: 'webhook', id: webhookIdSchema.parse(`whk_${own}`) };
  }
}

const parentLetters = new Map([
  ['fbk', 's'],
  ['con', 'c'],
  ['whk', 'w'],
]);

function deliveryIdIn(parent: DeliveryParent['id'], own: string): DeliveryId {
  const kind = parentLetters.get(parent.slice(0, 3));
  return deliveryIdSchema.parse(`dlv_${parent.slice(4, 20)}${kind}${parent.slice(20)}${own}`);
}
