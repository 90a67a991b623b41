import { describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../../functions/deliver-webhooks/deliver-webhooks.ts';
import { buildDelivery } from '../../shared/webhooks/webhook-builder.ts';

const referenceTo = ({ id, webhookId } = buildDelivery()) => ({ id, webhookId });

describe('deliverWebhooks', () => {
  it('gives back messages whose outcome was not stored and foreign messages, and no others', async () => {
    const [good, bad] = [referenceTo(), referenceTo()];
    const reported: string[] = [];
    const attempted: unknown[] = [];

    const failures = await deliverWebhooks(
      [
        { messageId: 'm1', body: JSON.stringify(good) },
        { messageId: 'm2', body: 'a foreign message' },
        { messageId: 'm3', body: JSON.stringify({ id: good.id }) },
        { messageId: 'm4', body: JSON.stringify(bad) },
      ],
      async (delivery) => {
        attempted.push(delivery);
        if (delivery.id === bad.id) throw new Error('the table is away');
        return 'rescheduled';
      },
      (messageId) => reported.push(messageId),
    );

    expect(attempted).toEqual([good, bad]);
    expect(failures).toEqual(['m2', 'm3', 'm4']);
    expect(reported.toSorted()).toEqual(['m2', 'm3', 'm4']);
  });
});
