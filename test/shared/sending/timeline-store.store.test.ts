import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { EventType } from '#shared/events/event';
import { putNewEvent } from '#shared/events/event-store';
import { claimSend } from '#shared/sending/claim-store';
import { commitAcceptance, recordLateAcceptance } from '#shared/sending/settlement-store';
import { findFeedbackId, getSend, readTimeline } from '#shared/sending/timeline-store';
import { sendPartition } from '#shared/table/keys';
import { newSendId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function storeNew(send = buildSend()) {
  await claimSend(table, buildClaim({ send }));
  return send;
}

const put = (feedbackId: ReturnType<typeof buildSend>['feedbackId'], type: EventType, ts: number) =>
  putNewEvent(table, feedbackId, { type, ts, providerMessageId: 'message-1' }, []);

describe('readTimeline', () => {
  it('knows nothing of a send that is not there', async () => {
    expect(await readTimeline(table, buildSend().feedbackId)).toBeUndefined();
  });

  it('shows a send that has no message or event yet', async () => {
    const send = await storeNew();

    expect(await readTimeline(table, send.feedbackId)).toEqual({
      send,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it('lists messages and events oldest first', async () => {
    const send = await storeNew();
    await commitAcceptance(table, send, { providerMessageId: 'z-first', at: 1_000 }, []);
    await recordLateAcceptance(table, send, { providerMessageId: 'a-second', at: 2_000 }, []);
    await put(send.feedbackId, 'clicked', 5_000);
    await put(send.feedbackId, 'delivered', 3_000);
    await put(send.feedbackId, 'opened', 4_000);

    const timeline = await readTimeline(table, send.feedbackId);

    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      'z-first',
      'a-second',
    ]);
    expect(timeline?.events.map(({ ts }) => ts)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('lists `sent` first though the clock of SES is ahead of ours', async () => {
    const send = await storeNew();
    await put(send.feedbackId, 'delivered', 900);
    await commitAcceptance(table, send, { providerMessageId: 'clock-ahead', at: 1_000 }, []);

    const timeline = await readTimeline(table, send.feedbackId);

    expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'delivered']);
  });

  it('lists events of one moment in the order of life', async () => {
    const send = await storeNew();
    const types = ['clicked', 'opened', 'complained', 'delivered'] as const;
    for (const type of types) await put(send.feedbackId, type, 1_000);

    const timeline = await readTimeline(table, send.feedbackId);

    expect(timeline?.events.map(({ type }) => type)).toEqual([
      'delivered',
      'complained',
      'opened',
      'clicked',
    ]);
  });

  it('shows nothing of another send', async () => {
    const send = await storeNew();
    const neighbour = await storeNew(buildSend({ id: newSendId(organizationIdOf(send.id)) }));
    await put(neighbour.feedbackId, 'delivered', 1_000);

    expect(await readTimeline(table, send.feedbackId)).toEqual({
      send,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it('reads on past the first megabyte', async () => {
    const send = await storeNew();
    const reason = 'x'.repeat(100_000);
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        putNewEvent(
          table,
          send.feedbackId,
          {
            type: 'bounced',
            ts: index,
            providerMessageId: `message-${index}`,
            reason,
          },
          [],
        ),
      ),
    );

    const timeline = await readTimeline(table, send.feedbackId);

    expect(timeline?.events.map(({ ts }) => ts)).toEqual(Array.from({ length: 15 }, (_, n) => n));
    expect(timeline?.send).toEqual(send);
  });

  it('throws on an item that is not what it says, and does not show half a timeline', async () => {
    const send = await storeNew();
    const Item = { pk: sendPartition(send.feedbackId), sk: 'EVENT#teleported', type: 'teleported' };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));

    await expect(readTimeline(table, send.feedbackId)).rejects.toThrow();
  });
});

describe('getSend', () => {
  it('answers the send, or nothing', async () => {
    const send = await storeNew();

    expect(await getSend(table, send.feedbackId)).toEqual(send);
    expect(await getSend(table, buildSend().feedbackId)).toBeUndefined();
  });
});

describe('findFeedbackId', () => {
  it('leads from the message to its send', async () => {
    const send = await storeNew();
    const providerMessageId = `find-${send.id}`;
    await commitAcceptance(table, send, { providerMessageId, at: 1_000 }, []);

    expect(await findFeedbackId(table, providerMessageId)).toBe(send.feedbackId);
  });

  it('knows nothing of a message that is not there', async () => {
    expect(await findFeedbackId(table, 'message-of-somebody-else')).toBeUndefined();
  });
});
