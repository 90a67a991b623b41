import { describe, expect, it } from 'vitest';
import {
  contactIdOf,
  deliveryIdOf,
  newOrganizationId,
  newWebhookId,
  webhookMessageIdOf,
} from '#shared/tokens/resource-id';
import { deliverWebhooks } from '../../../functions/deliver-webhooks/deliver-webhooks.ts';

function buildDeliveryId(event: string) {
  const organizationId = newOrganizationId();
  const messageId = webhookMessageIdOf(organizationId, event);
  const contactId = contactIdOf(organizationId, 'ann@example.com');
  return deliveryIdOf(contactId, messageId, newWebhookId(organizationId));
}

describe('deliverWebhooks', () => {
  it('gives back what could not be stored and what is none of ours, and nothing else', async () => {
    const [good, bad] = [buildDeliveryId('good'), buildDeliveryId('bad')];
    const reported: string[] = [];

    const failures = await deliverWebhooks(
      [
        { messageId: 'm1', body: good },
        { messageId: 'm2', body: 'a foreign message' },
        { messageId: 'm3', body: bad },
      ],
      {
        attempt: async (id) => {
          if (id === bad) throw new Error('the table is away');
          return 'rescheduled';
        },
        reportFailure: (messageId) => reported.push(messageId),
      },
    );

    expect(failures).toEqual(['m2', 'm3']);
    expect(reported.toSorted()).toEqual(['m2', 'm3']);
  });
});
