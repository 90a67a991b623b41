import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { markFirst } from '#shared/send-history/send-event-store';
import { movedTo } from '#shared/sending/later/change-plan';
import { refusedAttempt, workersAttempt } from '#shared/sending/later/send-waiting';
import type { WorkersSend } from '#shared/sending/later/waiting';
import {
  beginAttempt,
  cancelWaiting,
  dueSends,
  getExpiredSend,
  getSendInSlot,
  leaveWaitingIndex,
  moveWaiting,
  releaseWaiting,
} from '#shared/sending/later/waiting-store';
import type { ClaimedSend, Send, WaitingSend } from '#shared/sending/send';
import { keyOf } from '#shared/sending/send-items';
import { commitAcceptance, recordFailure } from '#shared/sending/send-store';
import { deliveryKey } from '#shared/table/delivery-keys';
import { findDue } from '#shared/table/due-index';
import { newNonce, organizationIdOf, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { buildClaim, claimNow, claimSend } from '../../../support/claim-builder.ts';
import { buildDeliveries } from '../../../support/delivery-builder.ts';
import { doBefore, loseFirstAnswer, openDisturbedTable } from '../../../support/disturbed-table.ts';
import { asDue, asWaiting, buildSend, leaseMs } from '../../../support/send-builder.ts';
import { openStoreTable } from '../../../support/store-table.ts';

const table = openStoreTable();
const cancellation = () => ({ claimId: newNonce(), now });

const now = claimNow;
const patienceMs = 3_600_000;
const plan = { patienceMs, retentionDays: 90 };
const leaseEnd = now + leaseMs;

/** A send that waits; due now by default. */
async function waitNew(overrides: Partial<WaitingSend> = {}): Promise<WaitingSend> {
  const send = asWaiting(
    buildClaim({
      ...{ status: 'scheduled', attempt: 0, dueAt: now, giveUpAt: now + patienceMs },
      contentId: newNonce(),
      ...overrides,
    }),
  );
  await claimSend(table, send);
  return send;
}

/** What a worker claims of it. */
const attemptOf = (send: Send, at = now): ClaimedSend =>
  workersAttempt(asDue(send), buildSend({ claimedAt: at }));

/** A send whose worker's attempt got no answer. */
async function doubtNew(): Promise<WorkersSend> {
  const send = await waitNew();
  const first = attemptOf(send);
  await beginAttempt(table, send, first);
  return asDue(first);
}

const get = async ({ id }: Send): Promise<Send> => {
  const send = await getSendInSlot(table, slotIdIn(id), now);
  if (send === undefined) throw new Error('gone');
  return send;
};

/** When workers find the send, according to the index. */
async function dueTimesOf({ id }: Send): Promise<number[]> {
  const shards = Array.from({ length: dueSends.shards }, (_, shard) =>
    findDue(table, dueSends, shard, organizationIdOf(id), now + 30 * 86_400_000, undefined),
  );
  const pages = await Promise.all(shards);
  return pages.flatMap(({ entries }) => entries.map(({ dueAt }) => dueAt));
}

const prove = ({ id }: Send) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keyOf({ id }),
      UpdateExpression: 'SET provenAt = :now',
      ExpressionAttributeValues: { ':now': now },
    }),
  );

/** The send as an erasure leaves it. */
const erase = ({ id }: Send) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: keyOf({ id }),
      UpdateExpression: 'SET subject = :erased',
      ExpressionAttributeValues: { ':erased': 'erased' },
    }),
  );

async function storedSend({ id }: Send) {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keyOf({ id }), ConsistentRead: true }),
  );
  return Item;
}

async function isStored({ id }: Delivery): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: deliveryKey(id), ConsistentRead: true }),
  );
  return Item !== undefined;
}

describe('a send that expired while due', () => {
  const expire = ({ id }: Send, attribute: 'expiresAt' | 'forgottenAt') =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: keyOf({ id }),
        UpdateExpression: `SET ${attribute} = :now`,
        ExpressionAttributeValues: { ':now': now / 1_000 },
      }),
    );

  it.each(['expiresAt', 'forgottenAt'] as const)(
    'is removed from the index of due ones by %s',
    async (attribute) => {
      const send = await doubtNew();
      await expire(send, attribute);
      expect(await dueTimesOf(send)).toHaveLength(1);
      expect((await getExpiredSend(table, slotIdIn(send.id), now))?.id).toBe(send.id);

      await leaveWaitingIndex(table, send, now);

      expect(await dueTimesOf(send)).toEqual([]);
      expect(await storedSend(send)).not.toHaveProperty('dueAt');
      expect((await getExpiredSend(table, slotIdIn(send.id), now))?.contentId).toBe(send.contentId);
    },
  );

  it('stays in the index until then', async () => {
    const send = await waitNew();

    await leaveWaitingIndex(table, send, now);

    expect(await getExpiredSend(table, slotIdIn(send.id), now)).toBeUndefined();
    expect(await dueTimesOf(send)).toEqual([now]);
  });

  it("isn't created when there is none", async () => {
    const send = buildClaim();

    await leaveWaitingIndex(table, send, now);

    expect(await storedSend(send)).toBeUndefined();
  });
});

describe('concurrent calls', () => {
  it('let only one of two workers begin the attempt', async () => {
    const send = await waitNew();
    const attempts = [attemptOf(send), attemptOf(send)];

    const began = await Promise.all(attempts.map((next) => beginAttempt(table, send, next)));

    expect(began.toSorted()).toEqual([false, true]);
    expect(await get(send)).toMatchObject({
      ...{ status: 'sending', attempt: 1, claimId: attempts[began.indexOf(true)]?.claimId },
    });
    expect(await dueTimesOf(send)).toEqual([leaseEnd]);
  });

  it.each(['cancel', 'move', 'refuse'] as const)(
    'a worker and a request to %s it: only one succeeds',
    async (what) => {
      const send = await waitNew();
      const moved = movedTo(now + 60_000, send, now, plan);
      const begin = { claimId: newNonce(), now, leaseMs };
      const refused = refusedAttempt(asDue(send), begin, 'no_active_identity');
      const others = {
        cancel: () => cancelWaiting(table, send, cancellation()),
        move: () => moveWaiting(table, send, moved),
        refuse: () => beginAttempt(table, send, refused),
      };
      const statuses = { cancel: 'canceled', move: 'scheduled', refuse: 'failed' };
      const dueTimes = { cancel: [], move: [now + 60_000], refuse: [] };

      const [hasBegun, isChanged] = await Promise.all([
        beginAttempt(table, send, attemptOf(send)),
        others[what](),
      ]);

      expect(hasBegun).toBe(!isChanged);
      expect((await get(send)).status).toBe(hasBegun ? 'sending' : statuses[what]);
      expect(await dueTimesOf(send)).toEqual(hasBegun ? [leaseEnd] : dueTimes[what]);
    },
  );

  it.each<[string, (send: WaitingSend) => Promise<unknown>]>([
    ['canceled', (send) => cancelWaiting(table, send, cancellation())],
    ['moved', (send) => moveWaiting(table, send, movedTo(now + 1, send, now, plan))],
    ['proven', prove],
    ['begun', (send) => beginAttempt(table, send, attemptOf(send))],
    ['rid of somebody who was erased', erase],
  ])('begins, moves and cancels nothing that was %s since it was read', async (_, meanwhile) => {
    const send = await waitNew();
    const late = doBefore('PutItem', 0, () => meanwhile(send));

    const hasBegun = await beginAttempt(openDisturbedTable(late), send, attemptOf(send));

    const after = await get(send);
    expect(hasBegun).toBe(false);
    expect(await moveWaiting(table, send, movedTo(now + 9, send, now, plan))).toBe(false);
    expect(await cancelWaiting(table, send, cancellation())).toBe(after.status === 'canceled');
    expect(await get(send)).toEqual(after);
  });

  it.each<[string, (send: Send) => Promise<unknown>, Partial<Send>]>([
    [
      'a failure',
      (send) => recordFailure(table, send, 'Throttled', leaseEnd),
      { attempts: [expect.anything(), expect.objectContaining({ reason: 'Throttled' })] },
    ],
    ['an event', (send) => markFirst(table, send, 'delayed', leaseEnd), { firstDelayAt: leaseEnd }],
  ])('begins no attempt that would lose %s recorded since it was read', async (...row) => {
    const [, meanwhile, noted] = row;
    const first = await doubtNew();
    const takeover = attemptOf(first, leaseEnd);
    await beginAttempt(table, first, takeover);
    const late = doBefore('PutItem', 0, () => meanwhile(takeover));

    const next = attemptOf(takeover, leaseEnd + leaseMs);

    expect(await beginAttempt(openDisturbedTable(late), takeover, next)).toBe(false);
    expect(await get(takeover)).toMatchObject({ claimId: takeover.claimId, ...noted });
    expect(await beginAttempt(table, await get(takeover), next)).toBe(true);
  });

  it('begins no attempt of a send that an event has settled since it was read', async () => {
    const send = await doubtNew();
    const acceptance = { providerMessageId: newNonce(), at: leaseEnd };
    const late = doBefore('PutItem', 0, () => commitAcceptance(table, send, acceptance, []));

    expect(await beginAttempt(openDisturbedTable(late), send, attemptOf(send, leaseEnd))).toBe(
      false,
    );
    expect(await get(send)).toMatchObject({ status: 'sent', attempt: 1 });
  });

  it('let only one of two moves win, and leave one entry in the index', async () => {
    const send = await waitNew();
    const plans = [1, 2].map((step) => movedTo(now + step * 1_000, send, now, plan));

    const moves = await Promise.all(plans.map((moved) => moveWaiting(table, send, moved)));

    expect(moves.toSorted()).toEqual([false, true]);
    expect(await dueTimesOf(send)).toEqual([plans[moves.indexOf(true)]?.dueAt]);
  });
});

it.each<[Partial<WaitingSend>, number, Partial<WaitingSend>]>([
  [{ dueAt: now + 60_000 }, now - 1, { status: 'queued', dueAt: now }],
  [{ dueAt: now + 60_000 }, now + 1, { status: 'scheduled', dueAt: now + 1 }],
  [{ status: 'queued' }, now + 60_000, { status: 'scheduled', dueAt: now + 60_000 }],
  [{ status: 'queued', attempt: 2 }, now, { status: 'queued', dueAt: now, attempt: 2 }],
])('moves a waiting send (%#): to now, closer, from the queue, and within it', async (...row) => {
  const [overrides, sendAt, expected] = row;
  const send = await waitNew(overrides);
  const moved = movedTo(sendAt, send, now, plan);

  expect(await moveWaiting(table, send, moved)).toBe(true);
  expect(await get(send)).toEqual(moved);
  expect(moved).toMatchObject({ ...expected, sendAt });
  expect(await dueTimesOf(send)).toEqual([expected.dueAt]);
});

describe('a write whose answer was lost', () => {
  it.each(['begin', 'cancel', 'move', 'release'] as const)('%s counts as done', async (what) => {
    const send = await waitNew();
    const losing = openDisturbedTable(loseFirstAnswer(what === 'begin' ? 'PutItem' : 'UpdateItem'));
    const writes = {
      begin: () => beginAttempt(losing, send, attemptOf(send)),
      cancel: () => cancelWaiting(losing, send, cancellation()),
      move: () => moveWaiting(losing, send, movedTo(now + 60_000, send, now, plan)),
      release: async () => releaseWaiting(losing, asDue(await get(send))),
    };

    expect(await writes[what]()).toBe(true);
    const dueTimes = { begin: [leaseEnd], cancel: [], move: [now + 60_000], release: [] };
    expect(await dueTimesOf(send)).toEqual(dueTimes[what]);
  });

  it('begins no attempt if an earlier one was proven accepted before the SDK repeated it', async () => {
    const send = await doubtNew();
    const lost = loseFirstAnswer('PutItem', () => prove(send));

    expect(await beginAttempt(openDisturbedTable(lost), send, attemptOf(send, leaseEnd))).toBe(
      false,
    );
    expect(await get(send)).toMatchObject({ attempt: 2, provenAt: now });
  });

  it("isn't taken for ours if another process has gone on with the send", async () => {
    const send = await waitNew();
    const moved = movedTo(now, send, now, plan);
    const goOn = async () => beginAttempt(table, await get(send), attemptOf(await get(send)));

    const after = openDisturbedTable(loseFirstAnswer('UpdateItem', goOn));

    expect(await moveWaiting(after, send, moved)).toBe(false);
    expect(await get(send)).toMatchObject({ status: 'sending', attempt: 1 });
  });
});

describe('release', () => {
  it('leaves the send in doubt, removes it from the index, and reports it once', async () => {
    const send = await doubtNew();
    const deliveries = buildDeliveries(send.feedbackId);

    const released = await Promise.all([
      releaseWaiting(table, send, deliveries),
      releaseWaiting(table, send, deliveries),
    ]);

    expect(released).toContain(true);
    expect(await get(send)).toMatchObject({ status: 'sending', attempt: 1 });
    expect(await dueTimesOf(send)).toEqual([]);
    for (const delivery of deliveries) expect(await isStored(delivery)).toBe(true);
  });

  it("doesn't report a failure that was refuted since the send was read", async () => {
    const send = await doubtNew();
    await prove(send);
    const [delivery, ...others] = buildDeliveries(send.feedbackId);
    if (delivery === undefined) throw new Error('no delivery');

    expect(await releaseWaiting(table, send, [delivery, ...others])).toBe(false);
    expect(await isStored(delivery)).toBe(false);
    expect(await releaseWaiting(table, asDue(await get(send)))).toBe(true);
    expect(await dueTimesOf(send)).toEqual([]);
  });

  it("keeps the attempt's late failure from making it due again", async () => {
    const send = await doubtNew();
    await releaseWaiting(table, send);

    const outcome = await recordFailure(table, send, 'Throttled', now);

    expect(outcome).toBe('lost');
    expect(await dueTimesOf(send)).toEqual([]);
  });
});

it('a postponed attempt becomes due again later, and repeating the call late changes nothing', async () => {
  const send = await doubtNew();
  const losing = openDisturbedTable(loseFirstAnswer('UpdateItem'));

  expect(await recordFailure(losing, send, 'Throttled', now)).toBe('postponed');

  const postponed = await get(send);
  expect(postponed).toMatchObject({ status: 'queued', attempt: 1 });
  expect(await dueTimesOf(send)).toEqual([postponed.dueAt]);
});
