import { describe, expect, it } from 'vitest';
import { type ProviderEvent, upsertEvent } from '#shared/events/event-store';
import { anonymiseSend } from '#shared/send-history/send-erasure-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { slotIdIn } from '#shared/tokens/resource-id';
import { claimSend } from '../../support/claim-builder.ts';
import { doBefore, openDisturbedTable } from '../../support/disturbed-table.ts';
import { noContentErasure } from '../../support/memory-contents.ts';
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
  upsertEvent(table, feedbackId, event, expiresAt);

const eventsOf = async ({ id }: Send, at = now) => {
  const timeline = await getTimeline(table, id, at);
  return timeline?.events;
};

describe('upsertEvent', () => {
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

  const bounceOf = (...emails: readonly string[]): ProviderEvent => ({
    ...delivered,
    type: 'bounced',
    reason: 'Permanent/General',
    recipients: emails.map((email) => ({ email })),
  });

  it('merges the bounce of another recipient into the event', async () => {
    const send = await storeNewSend();
    await put(send, bounceOf('bob@example.com'));

    await put(send, bounceOf('ann@example.com'));
    await put(send, bounceOf('bob@example.com'));

    expect(await eventsOf(send)).toEqual([bounceOf('ann@example.com', 'bob@example.com')]);
  });

  it('loses no recipient of many at once', async () => {
    const send = await storeNewSend();
    const emails = Array.from({ length: 6 }, (_, index) => `${10 + index}@example.com`);

    await Promise.all([...emails, ...emails].map((email) => put(send, bounceOf(email))));

    expect(await eventsOf(send)).toEqual([bounceOf(...emails)]);
  });

  it('does not bring back who is erased while another recipient is merged', async () => {
    const send = await storeNewSend();
    await put(send, bounceOf('ann@example.com'));
    const table = openDisturbedTable(
      doBefore('UpdateItem', 0, () =>
        anonymiseSend(
          openStoreTable(),
          noContentErasure,
          slotIdIn(send.id),
          { identity: 'ann@example.com', expires: false },
          now,
        ),
      ),
    );

    await upsertEvent(table, send.feedbackId, bounceOf('bob@example.com'), send.expiresAt);

    expect(await eventsOf(send)).toEqual([bounceOf('bob@example.com', 'erased')]);
  });

  it('is forgotten with its send', async () => {
    const send = await storeNewSend();
    const expiresAt = now / 1000 + 60;

    await upsertEvent(table, send.feedbackId, delivered, expiresAt);

    expect(await eventsOf(send, now + 59_999)).toEqual([delivered]);
    expect(await eventsOf(send, now + 60_000)).toEqual([]);
  });
});
