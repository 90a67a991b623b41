import { describe, expect, it } from 'vitest';
import { type ProviderEvent, putNewEvent } from '#shared/events/event-store';
import { claimSend } from '#shared/sending/claim-store';
import type { Send } from '#shared/sending/send';
import { readTimeline } from '#shared/sending/timeline-store';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

/** When everything is read: in 2096. What is expired by its own clock, DynamoDB Local may delete. */
const now = 4_000_000_000_000;

const delivered = { type: 'delivered', ts: 1_000, providerMessageId: 'message-1' } as const;

async function storeNewSend() {
  const send = buildSend();
  await claimSend(table, send);
  return send;
}

const put = ({ feedbackId, expiresAt }: Send, event: ProviderEvent) =>
  putNewEvent(table, feedbackId, event, expiresAt);

const eventsOf = async ({ id }: Send, at = now) => {
  const timeline = await readTimeline(table, id, at);
  return timeline?.events;
};

describe('putNewEvent', () => {
  it('records an event', async () => {
    const send = await storeNewSend();
    const event = { ...delivered, type: 'bounced', reason: 'Permanent/General' } as const;

    await put(send, event);

    expect(await eventsOf(send)).toEqual([event]);
  });

  it('records a type of a message once, and keeps what was told first', async () => {
    const send = await storeNewSend();
    await put(send, delivered);

    await put(send, { ...delivered, ts: 9_000 });

    expect(await eventsOf(send)).toEqual([delivered]);
  });

  it('records another type, and the same type of another message', async () => {
    const send = await storeNewSend();
    const others = [
      { ...delivered, type: 'bounced', ts: 2_000 } as const,
      { ...delivered, providerMessageId: 'message-2', ts: 3_000 },
    ];
    await put(send, delivered);

    for (const event of others) await put(send, event);

    expect(await eventsOf(send)).toEqual([delivered, ...others]);
  });

  it('records one of many repetitions at once', async () => {
    const send = await storeNewSend();

    await Promise.all(Array.from({ length: 20 }, () => put(send, delivered)));

    expect(await eventsOf(send)).toEqual([delivered]);
  });

  it('is forgotten with its send', async () => {
    const send = await storeNewSend();
    const expiresAt = now / 1000 + 60;

    await putNewEvent(table, send.feedbackId, delivered, expiresAt);

    expect(await eventsOf(send, now + 59_999)).toEqual([delivered]);
    expect(await eventsOf(send, now + 60_000)).toEqual([]);
  });
});
