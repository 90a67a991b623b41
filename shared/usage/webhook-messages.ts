import {
  type WebhookEventType,
  type WebhookSubscriptions,
  wantsEvent,
} from '#shared/organizations/webhook-subscriptions';
import type { UsageCounts } from './usage-counts.ts';

const countedEvents = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;

/** Deliveries aren't counted, as that would cost a write for each. Filters aren't known here, so it may be too many. */
export const messagesOf = (
  counts: Pick<UsageCounts, (typeof countedEvents)[number]>,
  subscriptions: WebhookSubscriptions,
): number =>
  countedEvents
    .map((event) => {
      const type: WebhookEventType = `email.${event}`;
      const wanting = Object.values(subscriptions).filter(({ eventTypes }) =>
        wantsEvent({ eventTypes }, type, undefined),
      );
      return counts[event] * wanting.length;
    })
    .reduce((sum, messages) => sum + messages, 0);
