import { describe, expect, it } from 'vitest';
import { putNewEvent } from '#shared/events/event-store';
import { claimSend } from '#shared/sending/claim-store';
import { readTimeline } from '#shared/sending/timeline-store';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const delivered = { type: 'delivered', ts: 1_000, providerMessageId: 'message-1' } as const;

async function storeNewSend() {
  const send = buildSend();
  await claimSend(table, buildClaim({ send }));
  return send;
}

const eventsOf = async ({ feedbackId }: ReturnType<typeof buildSend>) => {
  const timeline = await readTimeline(table, feedbackId);
  return timeline?.events;
};

describe('putNewEvent', () => {
  it('records an event and says that it is new', async () => {
    const send = await storeNewSend();
    const event = { ...delivered, type: 'bounced', reason: 'Permanent/General' } as const;

    expect(await putNewEvent(table, send.feedbackId, event, [])).toBe(true);
    expect(await eventsOf(send)).toEqual([event]);
  });

  it('records a type of a message once, and keeps what was told first', async () => {
    const send = await storeNewSend();
    await putNewEvent(table, send.feedbackId, delivered, []);

    expect(await putNewEvent(table, send.feedbackId, { ...delivered, ts: 9_000 }, [])).toBe(false);
    expect(await eventsOf(send)).toEqual([delivered]);
  });

  it('records another type, and the same type of another message', async () => {
    const send = await storeNewSend();
    const others = [
      { ...delivered, type: 'bounced', ts: 2_000 } as const,
      { ...delivered, providerMessageId: 'message-2', ts: 3_000 },
    ];
    await putNewEvent(table, send.feedbackId, delivered, []);

    const answers = [];
    for (const event of others) answers.push(await putNewEvent(table, send.feedbackId, event, []));

    expect(answers).toEqual([true, true]);
    expect(await eventsOf(send)).toEqual([delivered, ...others]);
  });

  it('records one of many repetitions at once', async () => {
    const send = await storeNewSend();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => putNewEvent(table, send.feedbackId, delivered, [])),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await eventsOf(send)).toEqual([delivered]);
  });

  it('stores the webhook deliveries of a new event with it, and none of a repeated one', async () => {
    const send = await storeNewSend();
    const [first, second] = [
      buildDeliveries(send.feedbackId),
      buildDeliveries(send.feedbackId, 'event-2'),
    ];

    const answers = [
      await putNewEvent(table, send.feedbackId, delivered, first),
      await putNewEvent(table, send.feedbackId, delivered, second),
    ];

    const timeline = await readTimeline(table, send.feedbackId);
    expect(answers).toEqual([true, false]);
    expect(timeline?.deliveries).toEqual(first);
  });

  it('records an event with deliveries once of many repetitions at once', async () => {
    const send = await storeNewSend();
    const deliveries = buildDeliveries(send.feedbackId);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => putNewEvent(table, send.feedbackId, delivered, deliveries)),
    );

    const timeline = await readTimeline(table, send.feedbackId);
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(timeline?.deliveries).toEqual(deliveries);
  });
});
