import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import type { ProviderEvent } from '#shared/events/event-store';
import { outcomeOf } from '#shared/send-history/outcome';
import {
  countOpen,
  countOpenNews,
  markFirst,
  storeSendEvent,
} from '#shared/send-history/send-event-store';
import { readSends } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { earlierEvents } from '#shared/sending/event-attributes';
import type { Send } from '#shared/sending/send';
import { toSend } from '#shared/sending/send-items';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import { queryAll } from '#shared/table/reads';
import { sendKey, sendPartition, sendPosition, sendSortKey } from '#shared/table/send-keys';
import {
  contactIdOf,
  newApiKeyId,
  newNonce,
  newOrganizationId,
  organizationIdOf,
  sendIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { itemSize, storedSizeOf } from '../../bench/request-units.ts';
import { typicalEmail } from '../../bench/sends.ts';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { doBefore, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = claimNow + 1_000;
const own = '0100018c2f6b6e5c-1f8b6a0e-000000';
const acceptance = (providerMessageId = own) => ({ providerMessageId, at: now });

/** A send that SES took. */
async function sent(overrides: Partial<Send> = {}): Promise<Send> {
  const organizationId = newOrganizationId();
  const id = sendIdOf(slotIdOf(organizationId, 'key-1'), newNonce());
  const send = buildClaim({ id, ...overrides });
  await claimSend(table, send);
  const { send: settled } = await commitAcceptance(table, send, acceptance(), []);
  return settled;
}

const event = (given: Partial<ProviderEvent>): ProviderEvent => ({
  type: 'delivered',
  ts: now + 1_000,
  providerMessageId: own,
  ...given,
});
const bounce = (reason: string, ts: number) => event({ type: 'bounced', reason, ts });

async function existing({ id }: Send): Promise<Send> {
  const key = { TableName: table.name, Key: sendKey(slotIdIn(id)), ConsistentRead: true };
  const { Item } = await table.client.send(new GetCommand(key));
  if (Item === undefined) throw new Error('no send');
  return toSend(Item);
}

const itemsOf = ({ id }: Send) => queryAll(table, { pk: sendPartition(slotIdIn(id)) });
const eventsOf = async ({ id }: Send) =>
  (await getTimeline(table, id, now))?.events.filter(({ type }) => type !== 'sent');
const person = (at: number) => ({ at, isMachine: false });
const machine = (at: number) => ({ at, isMachine: true });

describe('an event with its own item', () => {
  it('is complete when recorded again after the process died between send and item', async () => {
    const send = await sent();
    const report = bounce('Permanent/General', now + 2_000);
    const dying = openDisturbedTable({
      before: async ({ operation }) => {
        if (operation === 'PutItem') throw new Error('died');
      },
    });

    await expect(storeSendEvent(dying, send, report)).rejects.toThrow('died');
    expect(outcomeOf(await existing(send), now)).toMatchObject({ outcome: 'bounced' });
    expect(await eventsOf(send)).toEqual([]);

    await storeSendEvent(table, await existing(send), report);
    await storeSendEvent(table, await existing(send), report);
    expect(await eventsOf(send)).toMatchObject([{ type: 'bounced', ts: now + 2_000 }]);
    expect(outcomeOf(await existing(send), now)).toEqual({
      outcome: 'bounced',
      outcomeAt: now + 2_000,
    });
  });
});

describe('the delivery of a send’s own message', () => {
  it('is stored in the send alone, once, with the earliest reported time', async () => {
    const send = await sent();
    const reports = [2_000, 3_000, 1_000, 2_000].map((ts) => event({ ts: now + ts }));

    await Promise.all(reports.map((report) => storeSendEvent(table, send, report)));
    for (const report of reports) await storeSendEvent(table, send, report);

    expect(await itemsOf(send)).toHaveLength(1);
    expect(await eventsOf(send)).toEqual([event({ ts: now + 1_000 })]);
    expect(outcomeOf(await existing(send), now)).toEqual({
      outcome: 'delivered',
      outcomeAt: now + 1_000,
    });
  });

  it('stays with that message when SES rejects it and another one settles the send', async () => {
    const send = await sent();
    await storeSendEvent(table, send, event({}));
    await recordRejection(table, send, acceptance(), 'Bad content');
    await commitAcceptance(table, await existing(send), acceptance('message-2'), []);
    const later = await existing(send);

    await storeSendEvent(table, later, event({ ts: now + 5_000, providerMessageId: 'message-2' }));
    await storeSendEvent(table, later, event({ ts: now + 7_000 }));

    expect(await eventsOf(send)).toEqual([
      event({}),
      event({ ts: now + 5_000, providerMessageId: 'message-2' }),
    ]);
  });

  it('leaves nothing for an expired send', async () => {
    const send = await sent();
    const other = { ...send, id: sendIdOf(slotIdIn(send.id), newNonce()) };

    await storeSendEvent(table, other, event({}));
    await countOpen(table, other, person(now));

    expect(await itemsOf(send)).toHaveLength(1);
    expect(await eventsOf(send)).toEqual([]);
  });
});

describe('the delivery of a further message', () => {
  it('has its own item, and the send keeps the earliest of all', async () => {
    const send = await sent();
    await commitAcceptance(table, send, acceptance('message-2'), []);

    await storeSendEvent(table, send, event({ ts: now + 3_000 }));
    await storeSendEvent(table, send, event({ ts: now + 2_000, providerMessageId: 'message-2' }));
    await storeSendEvent(table, send, event({ ts: now + 2_000, providerMessageId: 'message-2' }));

    expect(await eventsOf(send)).toEqual([
      event({ ts: now + 2_000, providerMessageId: 'message-2' }),
      event({ ts: now + 3_000 }),
    ]);
    expect(outcomeOf(await existing(send), now).outcomeAt).toBe(now + 2_000);
  });
});

describe('an event of an earlier attempt', () => {
  const failedAfterDelivery = async () => {
    const send = await sent();
    await storeSendEvent(table, send, event({}));
    await recordRejection(table, send, acceptance(), 'Bad content');
    return send;
  };
  const retryOf = ({ id, expiresAt }: Send) =>
    buildClaim({ id: sendIdOf(slotIdIn(id), newNonce()), claimedAt: now, expiresAt });
  it('is kept by the next, with its message', async () => {
    const send = await failedAfterDelivery();

    await claimSend(table, retryOf(send));

    const next = await existing(send);
    expect(next).toMatchObject({ attempt: 2, deliveredAt: now + 1_000, deliveredOf: own });
    expect(earlierEvents(next)).toEqual({ deliveredAt: now + 1_000, deliveredOf: own });
    expect(await eventsOf(send)).toEqual([event({})]);
  });

  it('is kept even if it arrives at the moment of the claim', async () => {
    const send = await failedAfterDelivery();
    // By then the claim has read the send. Before that, its first Put has failed on it.
    const opened = doBefore('PutItem', 1, () => countOpen(table, send, person(now + 9)));

    const outcome = await claimSend(openDisturbedTable(opened), retryOf(send));

    expect(outcome.kind).toBe('claimed');
    expect(await existing(send)).toMatchObject({ attempt: 2, opens: 1, openedAt: now + 9 });
  });
});

describe('the opens of an email', () => {
  it('are counted in the send, with the first one by a person', async () => {
    const send = await sent();

    await countOpen(table, send, machine(now + 1));
    expect(await eventsOf(send)).toEqual([{ type: 'opened', ts: now + 1, hits: 1, machine: true }]);
    expect(outcomeOf(await existing(send), now).outcome).toBe('sent');
    await countOpen(table, send, person(now + 2));
    await countOpen(table, send, person(now + 3));

    expect(await itemsOf(send)).toHaveLength(1);
    expect(await eventsOf(send)).toEqual([
      { type: 'opened', ts: now + 2, hits: 3, machine: false },
    ]);
    expect(outcomeOf(await existing(send), now)).toEqual({
      outcome: 'opened',
      outcomeAt: now + 2,
    });
  });

  it('are reported once when many arrive at once, and each of them counts', async () => {
    const send = await sent();
    const deliveries = buildDeliveries(send.feedbackId);
    const open = async (): Promise<string> => {
      const seen = await existing(send);
      if (seen.openedAt !== undefined) {
        await countOpen(table, seen, person(now));
        return 'counted';
      }
      const outcome = await countOpenNews(table, seen, person(now), deliveries);
      return outcome === 'send_changed' ? open() : outcome;
    };

    const outcomes = await Promise.all(Array.from({ length: 10 }, open));

    expect(outcomes.filter((outcome) => outcome === 'reported')).toHaveLength(1);
    expect(await eventsOf(send)).toMatchObject([{ hits: 10 }]);
    const stored = deliveries.map(({ id }) => getDelivery(table, id, now));
    expect(await Promise.all(stored)).toEqual(deliveries);
  });

  it("aren't reported with an expiry that the send no longer has", async () => {
    const send = await sent();
    const before = { ...send, expiresAt: send.expiresAt - 60 };

    const outcome = await countOpenNews(
      table,
      before,
      person(now),
      buildDeliveries(send.feedbackId),
    );

    expect(outcome).toBe('send_changed');
  });

  it("aren't reported for a person erased since the send was read", async () => {
    const send = await sent();
    const stranger = { ...send, toEmail: 'other@example.com' };

    const outcome = await countOpenNews(
      table,
      stranger,
      person(now),
      buildDeliveries(send.feedbackId),
    );

    expect(outcome).toBe('send_changed');
    expect(await itemsOf(send)).toHaveLength(1);
  });
});

describe('a rare event', () => {
  type Rare = 'bounced' | 'soft_bounced' | 'complained';
  const listed = async (
    send: Send,
    outcome: Rare,
    window: { since?: number; until?: number } = {},
  ) => {
    const selection = { limit: 10, outcomes: [outcome], ...window };
    const { found } = await readSends(table, organizationIdOf(send.id), selection, () => now);
    return found.map(({ id }) => id);
  };

  it('is listed by meaning and time, in any order of reports', async () => {
    const reports = [
      bounce('Transient/General', now + 1),
      bounce('Permanent/General', now + 2),
      bounce('Permanent/General', now + 3),
      bounce('Transient/General', now + 4),
    ];
    const [one, two, three, four] = reports;
    for (const order of [reports, reports.toReversed(), [three, one, four, two]]) {
      const send = await sent();

      for (const report of [...order, ...order])
        if (report) await storeSendEvent(table, send, report);

      expect(outcomeOf(await existing(send), now)).toEqual({
        outcome: 'bounced',
        outcomeAt: now + 2,
      });
      expect(await listed(send, 'bounced', { since: now + 2, until: now + 3 })).toEqual([send.id]);
      expect(await listed(send, 'bounced', { since: now + 3 })).toEqual([]);
      expect(await listed(send, 'bounced', { until: now + 2 })).toEqual([]);
      expect(await listed(send, 'soft_bounced')).toEqual([]);
      expect(await eventsOf(send)).toMatchObject([{ ts: now + 1, reason: 'Permanent/General' }]);
    }
  });

  it('is listed at the earliest time of concurrent reports', async () => {
    const times = [5, 3, 4, 2, 6].map((ms) => now + ms);
    const send = await sent();

    await Promise.all(
      times.map((ts) => storeSendEvent(table, send, bounce('Permanent/General', ts))),
    );

    const [{ gsi2sk } = {}] = (await itemsOf(send)).filter(({ sk }) => sk !== sendSortKey);
    expect(gsi2sk).toBe(sendPosition(slotIdIn(send.id), now + 2));
  });

  it('is found by its own time among the emails to one recipient, too', async () => {
    const send = await sent();
    await storeSendEvent(table, send, bounce('Permanent/General', now + 9_000));
    const to = contactIdOf(organizationIdOf(send.id), send.toEmail);
    const find = async (window: { since?: number; until?: number }) => {
      const selection = { limit: 10, to, outcomes: ['bounced'] as const, ...window };
      const { found } = await readSends(table, organizationIdOf(send.id), selection, () => now);
      return found.map(({ id }) => id);
    };

    expect(await find({ since: now + 9_000 })).toEqual([send.id]);
    expect(await find({ since: now + 9_001 })).toEqual([]);
    expect(await find({ until: now + 9_000 })).toEqual([]);
  });

  it('is listed once for each send, and only until something more severe is reported', async () => {
    const send = await sent();
    await commitAcceptance(table, send, acceptance('message-2'), []);
    await storeSendEvent(table, send, bounce('Transient/General', now + 1));
    await storeSendEvent(table, send, {
      ...bounce('Transient/General', now + 2),
      providerMessageId: 'message-2',
    });
    expect(await listed(send, 'soft_bounced')).toEqual([send.id]);
    expect(await listed(send, 'soft_bounced', { since: now + 2 })).toEqual([]);

    await storeSendEvent(table, send, event({ type: 'complained', ts: now + 3 }));

    expect(await listed(send, 'soft_bounced')).toEqual([]);
    expect(await listed(send, 'complained')).toEqual([send.id]);
  });
});

it('a typical delivered and opened send takes 1,650 bytes with its entries, and with clicks still fits its write unit', async () => {
  const { to: toEmail, subject } = typicalEmail;
  const idempotencyKey = '3f0c6c52-6d0f-4a35-9f0b-8f3c6c5a2f11';
  const organizationId = newOrganizationId();
  const id = sendIdOf(slotIdOf(organizationId, idempotencyKey), newNonce());
  const apiKeyId = newApiKeyId(organizationId);
  const fingerprint = 'qyTosPe3LHEfEjhbrYqANN';
  const claim = buildClaim({ id, toEmail, subject, idempotencyKey, apiKeyId, fingerprint });
  const providerMessageId = '0100019a5b3c7d1e-9b0ce7a5-5b5c-4f5e-8b5d-6a0f4c7d2e11-000000';
  await claimSend(table, claim);
  const { send } = await commitAcceptance(table, claim, acceptance(providerMessageId), []);

  await storeSendEvent(table, send, event({ providerMessageId }));
  await countOpen(table, send, person(now + 2));
  const [opened = {}, ...others] = await itemsOf(send);
  await countOpen(table, send, machine(now + 1));
  await markFirst(table, send, 'clicked', now + 3);
  const [clicked = {}] = await itemsOf(send);

  expect(others).toEqual([]);
  expect(storedSizeOf(marshall(opened))).toBeLessThanOrEqual(1_650);
  expect(itemSize(marshall(clicked))).toBeLessThanOrEqual(850);
});
