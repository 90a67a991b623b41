import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { recordEngagement } from '#shared/send-history/record-engagement';
import { findSendsTo } from '#shared/send-history/send-list-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { factsOf, type Send } from '#shared/sending/send';
import { commitAcceptance, recordFailure, recordRejection } from '#shared/sending/send-store';
import { sentEventOf } from '#shared/sending/send-webhook-event';
import { toSeconds } from '#shared/table/expiry';
import { contactKey } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { openOf } from '#shared/tracking/engagement';
import { claimDelivery } from '#shared/webhook-deliveries/attempt-store';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { itemsOf, keysHolding } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import {
  ann,
  buildAcceptance,
  buildEmail,
  deliveriesAbout,
  erasedAt,
  storeEmail,
} from '../../support/recipient-builder.ts';
import { findDueOf } from '../../support/stored-delivery.ts';
import { openAnonymisation, slotsOf, withoutAnn, writesOfAnonymisation } from './anonymisation.ts';

// The table is read whole, again and again: it holds nothing from other files.
const table = await openOwnTable();
const { anonymise, find, newOrganization, reportDelivery, recording } = openAnonymisation(table);

const itemOf = async ({ id }: Send) => {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: sendKey(slotIdIn(id)), ConsistentRead: true }),
  );
  return Item;
};

/** When the organization's items expire, each time once. */
async function expiriesIn(organizationId: OrganizationId): Promise<unknown[]> {
  const items = await itemsOf(table, organizationId);
  return [...new Set(items.map(({ expiresAt }) => expiresAt))];
}

/** The send's deliveries that a run would find due, at any time. */
async function dueOf({ feedbackId }: Send, on: Table = table) {
  const own = feedbackId.slice('fbk_'.length + 16);
  const far = 9_000_000_000_000;
  const due = await findDueOf(on, organizationIdOf(feedbackId), far);
  return due.map(({ id }) => id).filter((id) => id.includes(own));
}

describe("a recipient's sends", () => {
  it('are found newest first', async () => {
    const organizationId = newOrganizationId();
    const sends = [3, 1, 2].map((second) =>
      buildEmail(organizationId, { createdAt: claimNow + second * 1_000 }),
    );
    for (const send of sends) await claimSend(table, send);

    const found = await find(organizationId);

    const newestFirst = sends.toSorted((one, other) => other.createdAt - one.createdAt);
    expect(slotsOf(found)).toEqual(newestFirst.map(({ id }) => slotIdIn(id)));
  });

  it('are read in pages, even when several have the same time', async () => {
    const organizationId = newOrganizationId();
    for (let index = 0; index < 7; index += 1) {
      await claimSend(table, buildEmail(organizationId));
    }
    const all = await find(organizationId);
    const contactId = contactIdOf(organizationId, ann);

    const first = await findSendsTo(table, contactId, {
      before: undefined,
      limit: 3,
    });
    const second = await findSendsTo(table, contactId, {
      before: first.at(-1)?.position,
      limit: 3,
    });
    const third = await findSendsTo(table, contactId, {
      before: second.at(-1)?.position,
      limit: 3,
    });

    expect([first, second, third].map((page) => page.length)).toEqual([3, 3, 1]);
    expect([...first, ...second, ...third]).toEqual(all);
  });

  it("are the organization's sends that name the address anywhere", async () => {
    const organizationId = newOrganizationId();
    const send = buildEmail(organizationId, { cc: ['ben@example.org'] });
    await claimSend(table, send);

    const found = {
      'first to': slotsOf(await find(organizationId)),
      to: slotsOf(await find(organizationId, 'dan@example.org')),
      cc: slotsOf(await find(organizationId, 'ben@example.org')),
      bcc: slotsOf(await find(organizationId, 'cleo@example.org')),
      nowhere: await find(organizationId, 'eve@example.org'),
      elsewhere: await find(newOrganizationId()),
    };

    const own = [slotIdIn(send.id)];
    expect(found).toEqual({
      ...{ 'first to': own, to: own, cc: own, bcc: own },
      ...{ nowhere: [], elsewhere: [] },
    });
  });
});

describe('an anonymised send', () => {
  it('contains the address nowhere, and neither does anything it owns', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);

    const outcome = await anonymise(send);

    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
  });

  it('is unchanged except for the address', async () => {
    const send = await storeEmail(table, newOrganizationId());
    const before = await getTimeline(table, send.id, erasedAt);

    await anonymise(send);

    expect(await getTimeline(table, send.id, erasedAt)).toEqual(withoutAnn(before));
  });

  it('shows a placeholder instead of the address', async () => {
    const send = await storeEmail(table, newOrganizationId());

    await anonymise(send);

    const timeline = await getTimeline(table, send.id, erasedAt);
    expect(timeline).toMatchObject({
      send: {
        toEmail: 'erased',
        cc: ['ben@example.org', 'erased'],
        bcc: ['erased', 'cleo@example.org'],
        suppressedRecipients: [{ email: 'erased', reason: 'bounce' }],
        subject: 'Your receipt, erased',
      },
      messages: [{ toEmail: 'erased' }, { toEmail: 'erased' }],
    });
    const bodies = timeline?.deliveries.map(({ body }) => JSON.parse(body));
    expect(bodies).toHaveLength(3);
    for (const { data } of bodies ?? []) {
      expect(data).toMatchObject({ to: 'erased', subject: 'Your receipt, erased' });
    }
  });

  it('keeps its other recipients', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId, {
      cc: ['joann@example.com', 'ann@example.com.au'],
      subject: 'joann@example.com',
    });

    await anonymise(send);

    expect(await itemOf(send)).toMatchObject({
      cc: ['joann@example.com', 'ann@example.com.au'],
      subject: 'joann@example.com',
    });
  });

  it("isn't found by the address any more", async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);

    await anonymise(send);

    expect(await find(organizationId)).toEqual([]);
  });

  it('is reported without the address when its deliveries are due', async () => {
    const send = await storeEmail(table, newOrganizationId());
    const due = await dueOf(send);

    await anonymise(send);

    expect(await dueOf(send)).toEqual(due);
    const timeline = await getTimeline(table, send.id, erasedAt);
    for (const { id } of timeline?.deliveries ?? []) {
      const claimed = await claimDelivery(table, id, 'due', erasedAt);
      expect(claimed).toMatchObject({ status: 'pending', attemptsStarted: 1 });
      expect(JSON.parse(claimed?.body ?? '')).toMatchObject({ data: { to: 'erased' } });
    }
  });

  it('answers a retry with its key as before, but without the address', async () => {
    const send = await storeEmail(table, newOrganizationId());

    await anonymise(send);

    const retry = buildClaim({ ...factsOf(send), claimId: 'a retry', claimedAt: erasedAt });
    expect(await claimSend(table, retry)).toMatchObject({
      kind: 'replay',
      response: {
        sendId: send.id,
        status: 'sent',
        messageId: send.providerMessageId,
        suppressedRecipients: [{ email: 'erased', reason: 'bounce' }],
      },
    });
  });

  it('is anonymised even when it is expired but not deleted yet', async () => {
    const organizationId = newOrganizationId();
    const expiresAt = toSeconds(erasedAt) - 60;
    const send = await storeEmail(table, organizationId, { expiresAt });

    await anonymise(send, { expires: true });

    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await itemOf(send)).toMatchObject({ expiresAt });
  });

  it('leaves no address in its rows when it is already deleted itself', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);
    const Key = sendKey(slotIdIn(send.id));
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));

    await anonymise(send);

    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await itemOf(send)).toBeUndefined();
  });

  it('keeps its recipient when that is another person by now', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId, { toEmail: 'dan@example.org' });

    const outcome = await anonymise(send, { expires: true });

    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(await itemOf(send)).toMatchObject({
      toEmail: 'dan@example.org',
      cc: ['ben@example.org', 'erased'],
    });
    expect(await expiriesIn(organizationId)).toEqual([send.expiresAt]);
    expect(slotsOf(await find(organizationId, 'dan@example.org'))).toEqual([slotIdIn(send.id)]);
  });
});

describe('an expiring send', () => {
  it("and everything it owns disappear at once, and hold no address until they're deleted", async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);
    const timeline = await getTimeline(table, send.id, erasedAt);

    const outcome = await anonymise(send, { expires: true });

    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(await getTimeline(table, send.id, erasedAt)).toBeUndefined();
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await find(organizationId)).toEqual([]);
    expect(await dueOf(send)).toEqual([]);
    expect(timeline?.deliveries).toHaveLength(3);
    for (const { id } of timeline?.deliveries ?? []) {
      expect(await claimDelivery(table, id, 'due', erasedAt)).toBeUndefined();
    }
  });

  it('gives up its key', async () => {
    const send = await storeEmail(table, newOrganizationId());
    await anonymise(send, { expires: true });
    const next = buildClaim({
      organizationId: organizationIdOf(send.id),
      idempotencyKey: send.idempotencyKey,
      claimedAt: erasedAt,
    });

    const outcome = await claimSend(table, next);

    expect(outcome).toEqual({ kind: 'claimed', send: next, deliveries: [] });
    expect(await getTimeline(table, next.id, erasedAt)).toEqual({
      send: next,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it('loses all of its rows at that moment, and none later', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);

    await anonymise(send, { expires: true });

    expect(await expiriesIn(organizationId)).toEqual([toSeconds(erasedAt)]);
  });
});

describe('a send with an attempt under way', () => {
  it.each([true, false])(
    "is anonymised, doesn't expire, and is found once more (expires: %s)",
    async (expires) => {
      const organizationId = newOrganizationId();
      const send = buildEmail(organizationId);
      await claimSend(table, send);

      const outcome = await anonymise(send, { expires }, claimNow + 1_000);

      expect(outcome).toEqual({ kind: 'under_way', until: send.leaseExpiresAt });
      expect(await keysHolding(table, organizationId, ann)).toEqual([]);
      expect(slotsOf(await find(organizationId))).toEqual([slotIdIn(send.id)]);
      expect(await itemOf(send)).toMatchObject({ toEmail: 'erased', expiresAt: send.expiresAt });
    },
  );

  it('keeps what its earlier attempts left, as long as itself', async () => {
    const organizationId = newOrganizationId();
    const sent = await storeEmail(table, organizationId);
    const { idempotencyKey, providerMessageId = '', sentAt: at = 0 } = sent;
    await recordRejection(table, sent, { providerMessageId, at }, 'Bad content');
    const retry = buildEmail(organizationId, { idempotencyKey, claimedAt: erasedAt });
    const claimed = await claimSend(table, retry);

    const outcome = await anonymise(sent, { expires: true }, erasedAt + 1_000);

    expect(claimed).toMatchObject({ kind: 'claimed', send: { attempt: 2 } });
    expect(outcome).toEqual({ kind: 'under_way', until: retry.leaseExpiresAt });
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await expiriesIn(organizationId)).toEqual([sent.expiresAt]);
  });

  it('keeps its key, and its attempt can commit', async () => {
    const send = buildEmail(newOrganizationId());
    await claimSend(table, send);
    await anonymise(send, { expires: true }, claimNow + 1_000);
    const retry = { ...send, claimId: 'a retry', claimedAt: claimNow + 2_000 };

    const during = await claimSend(table, retry);
    const committed = await commitAcceptance(table, send, buildAcceptance(), []);
    const after = await claimSend(table, retry);

    expect(during.kind).toBe('in_progress');
    expect(committed.kind).toBe('settled');
    expect(after).toMatchObject({ kind: 'replay', response: { sendId: send.id, status: 'sent' } });
  });

  it('is reported without the address when its attempt commits, and expires when it is found once more', async () => {
    const organizationId = newOrganizationId();
    const send = buildEmail(organizationId);
    await claimSend(table, send);
    await anonymise(send, { expires: true }, claimNow + 1_000);
    const acceptance = buildAcceptance();
    await commitAcceptance(
      table,
      send,
      acceptance,
      deliveriesAbout(send, sentEventOf(send, acceptance)),
    );
    const meanwhile = await keysHolding(table, organizationId, ann);
    const timeline = await getTimeline(table, send.id, claimNow + 2_000);

    const outcome = await anonymise(send, { expires: true }, claimNow + 2_000);

    expect(meanwhile).toEqual([]);
    expect(timeline?.deliveries).toMatchObject([
      { body: expect.stringContaining('"to":"erased"') },
    ]);
    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await getTimeline(table, send.id, claimNow + 2_000)).toBeUndefined();
  });

  it("may fail, and a retry then brings its own request's address", async () => {
    const organizationId = newOrganizationId();
    const send = buildEmail(organizationId);
    await claimSend(table, send);
    await anonymise(send, {}, claimNow + 1_000);
    await recordFailure(table, send, 'MessageRejected', claimNow + 2_000);

    const retry = await claimSend(table, { ...send, claimId: 'a retry', claimedAt: erasedAt });

    expect(retry).toMatchObject({ kind: 'claimed', send: { id: send.id, attempt: 2 } });
    expect(await itemOf(send)).toMatchObject({ toEmail: 'Ann@example.com' });
    expect(slotsOf(await find(organizationId))).toEqual([slotIdIn(send.id)]);
  });

  it('is over when its lease is, whatever the outcome, and then expires too', async () => {
    const organizationId = newOrganizationId();
    const send = buildEmail(organizationId);
    await claimSend(table, send);

    const outcome = await anonymise(send, { expires: true }, send.leaseExpiresAt);

    expect(outcome).toEqual({ kind: 'anonymised' });
    expect(await find(organizationId)).toEqual([]);
    expect(await getTimeline(table, send.id, send.leaseExpiresAt)).toBeUndefined();
  });
});

describe('a retry that begins the next attempt during an erasure', () => {
  /** A send that failed, and its retry just before the given write of the erasure. */
  async function retryBefore(death: number) {
    const organizationId = newOrganizationId();
    const send = buildEmail(organizationId);
    await claimSend(table, send);
    await recordFailure(table, send, 'MessageRejected', claimNow + 1_000);
    const retry = {
      ...send,
      claimId: 'a retry',
      claimedAt: erasedAt,
      leaseExpiresAt: erasedAt + 9,
    };
    const intercepted = interceptWrites(async (write) => {
      if (write === death) await claimSend(table, retry);
    });
    const outcome = await anonymise(send, { expires: true }, erasedAt, intercepted);
    return { organizationId, send, outcome };
  }

  it.each([1, 2])(
    'keeps its address and its place in the index, before write %d',
    async (write) => {
      const { organizationId, send, outcome } = await retryBefore(write);

      expect(outcome).toEqual({ kind: 'under_way', until: erasedAt + 9 });
      expect(await itemOf(send)).toMatchObject({
        attempt: 2,
        toEmail: 'Ann@example.com',
        expiresAt: send.expiresAt,
      });
      expect(slotsOf(await find(organizationId))).toEqual([slotIdIn(send.id)]);
    },
  );
});

describe("an anonymised send's later events", () => {
  async function prepare() {
    const organizationId = await newOrganization();
    const send = buildEmail(organizationId);
    await claimSend(table, send);
    await anonymise(send, {}, send.leaseExpiresAt);
    return { organizationId, send };
  }

  it('from the provider are recorded and reported without the address', async () => {
    const { organizationId, send } = await prepare();

    await reportDelivery(send);

    const timeline = await getTimeline(table, send.id, erasedAt);
    expect(timeline?.events.map(({ type }) => type)).toEqual(['sent', 'delivered']);
    expect(timeline?.deliveries).toHaveLength(2);
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
  });

  it('create contacts for the others, and none for the placeholder', async () => {
    const { organizationId, send } = await prepare();

    await reportDelivery(send);

    const others = ['ben@example.org', 'cleo@example.org', 'dan@example.org'];
    const contacts = await keysHolding(table, organizationId, '#CONTACT#');
    expect(contacts.toSorted()).toEqual(
      others
        .map((identity) => contactKey(contactIdOf(organizationId, identity)))
        .map(({ pk, sk }) => `${pk} ${sk}`)
        .toSorted(),
    );
  });

  it('when a person opens the email are recorded and reported without the address', async () => {
    const { organizationId, send } = await prepare();

    await recordEngagement(openOf(send.feedbackId), { at: erasedAt, isMachine: false }, recording);

    const timeline = await getTimeline(table, send.id, erasedAt);
    expect(timeline?.events).toMatchObject([{ type: 'opened' }]);
    expect(timeline?.deliveries).toHaveLength(1);
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
  });
});

describe('a row deleted at that moment', () => {
  it("isn't recreated", async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);
    const rows = (await itemsOf(table, organizationId)).filter(({ sk }) => sk !== 'SEND');
    const deleting = interceptWrites(async (write) => {
      if (write !== 2) return;
      for (const { pk, sk } of rows) {
        await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
      }
    });

    await anonymise(send, { expires: true }, erasedAt, deleting);

    const left = await itemsOf(table, organizationId);
    expect(left.map(({ sk }) => sk)).toEqual(['SEND']);
  });
});

// Each write is interrupted on the table in memory: `interrupted-anonymisations.test.ts`.
describe('anonymising a send', () => {
  it('writes each item with the address once, apart from leaving the index', async () => {
    const send = await storeEmail(table, newOrganizationId());
    const first = anonymise(send, {}, erasedAt, dyingTable(writesOfAnonymisation + 1));

    await expect(first).resolves.toEqual({ kind: 'anonymised' });

    const second = anonymise(send, {}, erasedAt, dyingTable(2));
    await expect(second).resolves.toEqual({ kind: 'anonymised' });
  });

  it('has the same result when two do it at once', async () => {
    const organizationId = newOrganizationId();
    const send = await storeEmail(table, organizationId);

    const outcomes = await Promise.all([anonymise(send), anonymise(send)]);

    expect(outcomes).toEqual([{ kind: 'anonymised' }, { kind: 'anonymised' }]);
    expect(await keysHolding(table, organizationId, ann)).toEqual([]);
    expect(await find(organizationId)).toEqual([]);
  });
});
