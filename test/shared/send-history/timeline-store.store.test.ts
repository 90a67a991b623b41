import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { EventType } from '#shared/events/event';
import { upsertEvent } from '#shared/events/event-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { getSend, getSendOfOrganization, getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import {
  commitAcceptance,
  recordFailure,
  recordProof,
  recordRejection,
} from '#shared/sending/send-store';
import { sendPartition } from '#shared/table/send-keys';
import {
  feedbackIdOf,
  newNonce,
  newWebhookId,
  organizationIdOf,
  sendIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { openOf } from '#shared/tracking/engagement';
import { claimSend } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { storeHit } from '../../support/stored-hit.ts';

const table = openStoreTable();
/** The time of all reads: in 2096. DynamoDB Local may delete what has expired by its own clock. */
const now = 4_000_000_000_000;

async function storeNew(overrides: Partial<Send> = {}) {
  const send = buildSend(overrides);
  await claimSend(table, send);
  return send;
}

const put = (send: Send, type: EventType, ts: number, expiresAt = send.expiresAt) => {
  const event = { type, ts, providerMessageId: 'message-1' };
  return upsertEvent(table, send.feedbackId, event, expiresAt);
};

/** Another id in the send's slot, as from an earlier send, or guessed. */
const idBeside = (send: Send) => sendIdOf(slotIdIn(send.id), newNonce());

describe('getTimeline', () => {
  it('finds nothing for an unknown send', async () => {
    expect(await getTimeline(table, buildSend().id, now)).toBeUndefined();
  });

  it('shows nothing to a caller who knows the slot but not the id', async () => {
    const send = await storeNew();

    expect(await getTimeline(table, idBeside(send), now)).toBeUndefined();
  });

  it('shows a send that has no message or event yet', async () => {
    const send = await storeNew();

    expect(await getTimeline(table, send.id, now)).toEqual({
      send,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it('lists messages and events oldest first', async () => {
    const send = await storeNew();
    await commitAcceptance(table, send, { providerMessageId: 'z-first', at: 1_000 }, []);
    await commitAcceptance(table, send, { providerMessageId: 'a-second', at: 2_000 }, []);
    await put(send, 'clicked', 5_000);
    await put(send, 'delivered', 3_000);
    await put(send, 'opened', 4_000);

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      'z-first',
      'a-second',
    ]);
    expect(timeline?.events.map(({ ts }) => ts)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('lists the first message first, even when a further one is older', async () => {
    const send = await storeNew();
    await commitAcceptance(table, send, { providerMessageId: 'told-first', at: 2_000 }, []);
    await commitAcceptance(table, send, { providerMessageId: 'older', at: 1_000 }, []);

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.send.providerMessageId).toBe('told-first');
    expect(timeline?.messages.map(({ createdAt }) => createdAt)).toEqual([1_000, 2_000]);
    expect(timeline?.events.map(({ ts }) => ts)).toEqual([1_000, 2_000]);
  });

  it('shows a failed attempt, and the message of one that SES rejected', async () => {
    const send = await storeNew();
    const acceptance = { providerMessageId: 'rejected', at: 1_000 };
    const settled = await commitAcceptance(table, send, acceptance, []);
    await recordRejection(table, settled.send, acceptance, 'Bad content');

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.send).toMatchObject({
      status: 'failed',
      attempts: [{ attempt: 1, at: 1_000, reason: 'Bad content' }],
    });
    expect(timeline?.messages).toMatchObject([{ providerMessageId: 'rejected' }]);
    expect(timeline?.events).toMatchObject([{ type: 'sent', providerMessageId: 'rejected' }]);
  });

  it('shows no message for an attempt that SES refused', async () => {
    const send = await storeNew();
    await recordFailure(table, send, 'Throttled', now);

    expect(await getTimeline(table, send.id, now)).toMatchObject({
      messages: [],
      events: [],
    });
  });

  it('lists `sent` first even if the clock of SES is ahead of ours', async () => {
    const send = await storeNew();
    await put(send, 'delivered', 900);
    await commitAcceptance(table, send, { providerMessageId: 'clock-ahead', at: 1_000 }, []);

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'delivered']);
  });

  it('lists simultaneous events in their natural order', async () => {
    const send = await storeNew();
    const types = ['clicked', 'opened', 'complained', 'delivered'] as const;
    for (const type of types) await put(send, type, 1_000);

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.events.map(({ type }) => type)).toEqual([
      'delivered',
      'complained',
      'opened',
      'clicked',
    ]);
  });

  it('shows nothing from another send', async () => {
    const send = await storeNew();
    const neighbour = await storeNew({ id: newSendId(organizationIdOf(send.id)) });
    await put(neighbour, 'delivered', 1_000);

    expect(await getTimeline(table, send.id, now)).toEqual({
      send,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it('hides the expired parts of a send whose next attempt is kept longer', async () => {
    const send = await storeNew();
    const nowInSeconds = now / 1000;
    const hit = { at: 1_000, isMachine: false };
    const [expired, kept] = [
      buildDeliveries(send.feedbackId, 'expired'),
      buildDeliveries(send.feedbackId, 'kept'),
    ].map(([row]) => row);
    if (expired === undefined || kept === undefined) throw new Error('no deliveries');
    const rows = [{ ...expired, expiresAt: nowInSeconds }, kept];
    await commitAcceptance(table, send, { providerMessageId: 'kept', at: 500 }, rows);
    await put(send, 'delivered', 1_000, nowInSeconds);
    await put(send, 'bounced', 2_000, nowInSeconds + 1);
    await storeHit(table, openOf(send.feedbackId), hit, nowInSeconds);

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'bounced']);
    expect(timeline?.deliveries.map(({ id }) => id)).toEqual([kept.id]);
  });

  it('reads on past the first megabyte', async () => {
    const send = await storeNew();
    const reason = 'x'.repeat(100_000);
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        upsertEvent(
          table,
          send.feedbackId,
          { type: 'bounced', ts: index, providerMessageId: `message-${index}`, reason },
          send.expiresAt,
        ),
      ),
    );

    const timeline = await getTimeline(table, send.id, now);

    expect(timeline?.events.map(({ ts }) => ts)).toEqual(Array.from({ length: 15 }, (_, n) => n));
    expect(timeline?.send).toEqual(send);
  });

  it('throws on an invalid item instead of showing half a timeline', async () => {
    const send = await storeNew();
    const pk = sendPartition(slotIdIn(send.id));
    const Item = { pk, sk: 'EVENT#teleported', type: 'teleported' };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));

    await expect(getTimeline(table, send.id, now)).rejects.toThrow();
  });
});

describe('getSend', () => {
  it('returns the send, or nothing', async () => {
    const send = await storeNew();

    expect(await getSend(table, send.feedbackId, now)).toEqual(send);
    expect(await getSend(table, buildSend().feedbackId, now)).toBeUndefined();
  });

  it('returns nothing for the feedback id of an earlier send in the slot', async () => {
    const send = await storeNew();
    const feedbackId = feedbackIdOf(idBeside(send));

    expect(await getSend(table, feedbackId, now)).toBeUndefined();
  });
});

/** A send of an organization with one webhook endpoint. */
async function storeSubscribed(overrides: Partial<Send> = {}) {
  const send = await storeNew(overrides);
  const id = organizationIdOf(send.id);
  const webhooks = { [newWebhookId(id)]: { eventTypes: [] } };
  await putOrganization(table, buildOrganization({ id, webhooks }));
  return { send, subscriptions: webhooks };
}

describe('getSendOfOrganization', () => {
  it('returns the send and its organization', async () => {
    const { send, subscriptions } = await storeSubscribed();

    const found = await getSendOfOrganization(table, send.feedbackId, now);

    expect(found).toMatchObject({ send, organization: { webhooks: subscriptions } });
  });

  it('returns the organization for an expired send and for another send in the slot', async () => {
    const { send } = await storeSubscribed({ expiresAt: now / 1000 });

    const forgotten = await getSendOfOrganization(table, send.feedbackId, now);
    const another = await getSendOfOrganization(table, feedbackIdOf(idBeside(send)), now);

    expect(forgotten).toMatchObject({ send: undefined, organization: { name: 'Example Ltd' } });
    expect(another).toEqual(forgotten);
  });

  it("returns an eventually consistent answer, and reads again for what it didn't find", async () => {
    const reads = [true, false, true, false];
    const { table: staleTable } = openMemoryTable({ isStale: () => reads.shift() ?? false });
    const send = buildSend();
    const organization = buildOrganization({ id: organizationIdOf(send.id) });
    const linked = () =>
      getSendOfOrganization(staleTable, send.feedbackId, now, { isConsistent: false });

    await putOrganization(staleTable, organization);
    await claimSend(staleTable, send);
    expect(await linked()).toEqual({ send, organization });

    await recordProof(staleTable, send, now);
    expect(await linked()).toEqual({ send, organization });
    expect(await getSendOfOrganization(staleTable, send.feedbackId, now)).toMatchObject({
      send: { provenAt: now },
    });
  });

  it('reports that the organization is gone', async () => {
    const send = await storeNew();

    expect(await getSendOfOrganization(table, send.feedbackId, now)).toEqual({
      send,
    });
  });
});
