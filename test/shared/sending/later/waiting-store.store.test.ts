import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { Organization } from '#shared/organizations/organization';
import { cancelSend, movedTo, moveSend } from '#shared/sending/later/change-plan';
import { contentPlace } from '#shared/sending/later/send-later';
import { refusedAttempt, workersAttempt } from '#shared/sending/later/send-waiting';
import { openDueSendStore, openWaitingStore } from '#shared/sending/later/waiting-store';
import type { Send } from '#shared/sending/send';
import { keyOf } from '#shared/sending/send-items';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { markFirst } from '#shared/sends/heard-store';
import { getTimeline } from '#shared/sends/timeline-store';
import { deliveryKey } from '#shared/table/delivery-keys';
import { expiryAfter } from '#shared/table/expiry';
import {
  newNonce,
  newWebhookId,
  organizationIdOf,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { buildClaim, claimNow, claimSend } from '../../../support/claim-builder.ts';
import { buildDeliveries } from '../../../support/delivery-builder.ts';
import {
  type Disturbance,
  doBefore,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../../support/disturbed-table.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSend, doubtWindowMs } from '../../../support/send-builder.ts';
import { openStoreTable } from '../../../support/store-table.ts';

const table = openStoreTable();
const settlementStore = openSettlementStore(table);
const waiting = openWaitingStore(table);
const disturbed = (disturbance: Disturbance) => openWaitingStore(openDisturbedTable(disturbance));

const now = claimNow;
const patienceMs = 3_600_000;
const plan = { patienceMs, retentionDays: 90 };
const windowEnd = now + doubtWindowMs;

/** A send that waits; due now by default. */
async function waitNew(overrides: Partial<Send> = {}): Promise<Send> {
  const send = buildClaim({
    ...{ status: 'scheduled', attempt: 0, dueAt: now, giveUpAt: now + patienceMs },
    contentId: newNonce(),
    ...overrides,
  });
  await claimSend(table, send);
  return send;
}

/** What a worker claims of it. */
const attemptOf = (send: Send, at = now): Send =>
  workersAttempt(send, buildSend({ claimedAt: at }));

/** A send whose worker's attempt got no answer. */
async function doubtNew(): Promise<Send> {
  const send = await waitNew();
  const first = attemptOf(send);
  await waiting.begin(send, first);
  return first;
}

const get = async ({ id }: Send): Promise<Send> => {
  const send = await waiting.get(slotIdIn(id), now);
  if (send === undefined) throw new Error('gone');
  return send;
};

/** When workers find the send, according to the index. */
async function dueTimesOf({ id }: Send): Promise<number[]> {
  const due = openDueSendStore(table);
  const shards = Array.from({ length: due.shards }, (_, shard) =>
    due.find(shard, organizationIdOf(id), now + 30 * 86_400_000, undefined),
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
      expect((await waiting.findExpired(slotIdIn(send.id), now))?.id).toBe(send.id);

      await waiting.leaveIndex(send, now);

      expect(await dueTimesOf(send)).toEqual([]);
      expect(await storedSend(send)).not.toHaveProperty('dueAt');
      expect((await waiting.findExpired(slotIdIn(send.id), now))?.contentId).toBe(send.contentId);
    },
  );

  it('stays in the index until then', async () => {
    const send = await waitNew();

    await waiting.leaveIndex(send, now);

    expect(await waiting.findExpired(slotIdIn(send.id), now)).toBeUndefined();
    expect(await dueTimesOf(send)).toEqual([now]);
  });

  it("isn't created when there is none", async () => {
    const send = buildClaim();

    await waiting.leaveIndex(send, now);

    expect(await storedSend(send)).toBeUndefined();
  });
});

describe('concurrent calls', () => {
  it('let only one of two workers begin the attempt', async () => {
    const send = await waitNew();
    const attempts = [attemptOf(send), attemptOf(send)];

    const began = await Promise.all(attempts.map((next) => waiting.begin(send, next)));

    expect(began.toSorted()).toEqual([false, true]);
    expect(await get(send)).toMatchObject({
      ...{ status: 'sending', attempt: 1, claimId: attempts[began.indexOf(true)]?.claimId },
    });
    expect(await dueTimesOf(send)).toEqual([windowEnd]);
  });

  it.each(['cancel', 'move', 'refuse'] as const)(
    'a worker and a request to %s it: only one succeeds',
    async (what) => {
      const send = await waitNew();
      const moved = movedTo(now + 60_000, send, now, plan);
      const begin = { claimId: newNonce(), now, doubtWindowMs };
      const refused = refusedAttempt(send, begin, 'no_active_identity');
      const others = {
        cancel: () => waiting.cancel(send, newNonce(), now),
        move: () => waiting.move(send, moved),
        refuse: () => waiting.begin(send, refused),
      };
      const statuses = { cancel: 'canceled', move: 'scheduled', refuse: 'failed' };
      const dueTimes = { cancel: [], move: [now + 60_000], refuse: [] };

      const [hasBegun, isChanged] = await Promise.all([
        waiting.begin(send, attemptOf(send)),
        others[what](),
      ]);

      expect(hasBegun).toBe(!isChanged);
      expect((await get(send)).status).toBe(hasBegun ? 'sending' : statuses[what]);
      expect(await dueTimesOf(send)).toEqual(hasBegun ? [windowEnd] : dueTimes[what]);
    },
  );

  it.each<[string, (send: Send) => Promise<unknown>]>([
    ['canceled', (send) => waiting.cancel(send, newNonce(), now)],
    ['moved', (send) => waiting.move(send, movedTo(now + 1, send, now, plan))],
    ['proven', prove],
    ['begun', (send) => waiting.begin(send, attemptOf(send))],
    ['rid of somebody who was erased', erase],
  ])('begins, moves and cancels nothing that was %s since it was read', async (_, meanwhile) => {
    const send = await waitNew();
    const late = doBefore('PutItem', 0, () => meanwhile(send));

    const hasBegun = await disturbed(late).begin(send, attemptOf(send));

    const after = await get(send);
    expect(hasBegun).toBe(false);
    expect(await waiting.move(send, movedTo(now + 9, send, now, plan))).toBe(false);
    expect(await waiting.cancel(send, newNonce(), now)).toBe(after.status === 'canceled');
    expect(await get(send)).toEqual(after);
  });

  it.each<[string, (send: Send) => Promise<unknown>, Partial<Send>]>([
    [
      'a failure',
      (send) => settlementStore.recordFailure(send, 'Throttled', windowEnd),
      { attempts: [expect.anything(), expect.objectContaining({ reason: 'Throttled' })] },
    ],
    [
      'an event',
      (send) => markFirst(table, send, 'delayed', windowEnd),
      { firstDelayAt: windowEnd },
    ],
  ])('begins no attempt that would lose %s recorded since it was read', async (...row) => {
    const [, meanwhile, noted] = row;
    const first = await doubtNew();
    const takeover = attemptOf(first, windowEnd);
    await waiting.begin(first, takeover);
    const late = doBefore('PutItem', 0, () => meanwhile(takeover));

    const next = attemptOf(takeover, windowEnd + doubtWindowMs);

    expect(await disturbed(late).begin(takeover, next)).toBe(false);
    expect(await get(takeover)).toMatchObject({ claimId: takeover.claimId, ...noted });
    expect(await waiting.begin(await get(takeover), next)).toBe(true);
  });

  it('begins no attempt of a send that an event has settled since it was read', async () => {
    const send = await doubtNew();
    const acceptance = { providerMessageId: newNonce(), at: windowEnd };
    const { commitAcceptance } = settlementStore;
    const late = doBefore('PutItem', 0, () => commitAcceptance(send, acceptance, []));

    expect(await disturbed(late).begin(send, attemptOf(send, windowEnd))).toBe(false);
    expect(await get(send)).toMatchObject({ status: 'sent', attempt: 1 });
  });

  it('let only one of two moves win, and leave one entry in the index', async () => {
    const send = await waitNew();
    const plans = [1, 2].map((step) => movedTo(now + step * 1_000, send, now, plan));

    const moves = await Promise.all(plans.map((moved) => waiting.move(send, moved)));

    expect(moves.toSorted()).toEqual([false, true]);
    expect(await dueTimesOf(send)).toEqual([plans[moves.indexOf(true)]?.dueAt]);
  });
});

it.each<[Partial<Send>, number, Partial<Send>]>([
  [{ dueAt: now + 60_000 }, now - 1, { status: 'queued', dueAt: now }],
  [{ dueAt: now + 60_000 }, now + 1, { status: 'scheduled', dueAt: now + 1 }],
  [{ status: 'queued' }, now + 60_000, { status: 'scheduled', dueAt: now + 60_000 }],
  [{ status: 'queued', attempt: 2 }, now, { status: 'queued', dueAt: now, attempt: 2 }],
])('moves a waiting send (%#): to now, closer, from the queue, and within it', async (...row) => {
  const [overrides, sendAt, expected] = row;
  const send = await waitNew(overrides);
  const moved = movedTo(sendAt, send, now, plan);

  expect(await waiting.move(send, moved)).toBe(true);
  expect(await get(send)).toEqual(moved);
  expect(moved).toMatchObject({ ...expected, sendAt });
  expect(await dueTimesOf(send)).toEqual([expected.dueAt]);
});

describe('a write whose answer was lost', () => {
  it.each(['begin', 'cancel', 'move', 'release'] as const)('%s counts as done', async (what) => {
    const send = what === 'release' ? await doubtNew() : await waitNew();
    const store = disturbed(loseFirstAnswer(what === 'begin' ? 'PutItem' : 'UpdateItem'));
    const writes = {
      begin: () => store.begin(send, attemptOf(send)),
      cancel: () => store.cancel(send, newNonce(), now),
      move: () => store.move(send, movedTo(now + 60_000, send, now, plan)),
      release: () => store.release(send),
    };

    expect(await writes[what]()).toBe(true);
    const dueTimes = { begin: [windowEnd], cancel: [], move: [now + 60_000], release: [] };
    expect(await dueTimesOf(send)).toEqual(dueTimes[what]);
  });

  it('begins no attempt if an earlier one was proven accepted before the SDK repeated it', async () => {
    const send = await doubtNew();
    const lost = loseFirstAnswer('PutItem', () => prove(send));

    expect(await disturbed(lost).begin(send, attemptOf(send, windowEnd))).toBe(false);
    expect(await get(send)).toMatchObject({ attempt: 2, provenAt: now });
  });

  it("isn't taken for ours if another process has gone on with the send", async () => {
    const send = await waitNew();
    const moved = movedTo(now, send, now, plan);
    const goOn = async () => waiting.begin(await get(send), attemptOf(await get(send)));

    expect(await disturbed(loseFirstAnswer('UpdateItem', goOn)).move(send, moved)).toBe(false);
    expect(await get(send)).toMatchObject({ status: 'sending', attempt: 1 });
  });
});

describe('release', () => {
  it('leaves the send in doubt, removes it from the index, and reports it once', async () => {
    const send = await doubtNew();
    const rows = buildDeliveries(send.feedbackId);

    const released = await Promise.all([waiting.release(send, rows), waiting.release(send, rows)]);

    expect(released).toContain(true);
    expect(await get(send)).toMatchObject({ status: 'sending', attempt: 1 });
    expect(await dueTimesOf(send)).toEqual([]);
    for (const row of rows) expect(await isStored(row)).toBe(true);
  });

  it("doesn't report a failure that was refuted since the send was read", async () => {
    const send = await doubtNew();
    await prove(send);
    const [row, ...others] = buildDeliveries(send.feedbackId);
    if (row === undefined) throw new Error('no row');

    expect(await waiting.release(send, [row, ...others])).toBe(false);
    expect(await isStored(row)).toBe(false);
    expect(await waiting.release(await get(send))).toBe(true);
    expect(await dueTimesOf(send)).toEqual([]);
  });

  it("keeps the attempt's late failure from making it due again", async () => {
    const send = await doubtNew();
    await waiting.release(send);

    const outcome = await settlementStore.recordFailure(send, 'Throttled', now);

    expect(outcome).toBe('lost');
    expect(await dueTimesOf(send)).toEqual([]);
  });
});

it('a postponed attempt becomes due again later, and repeating the call late changes nothing', async () => {
  const send = await doubtNew();
  const settlement = openSettlementStore(openDisturbedTable(loseFirstAnswer('UpdateItem')));

  expect(await settlement.recordFailure(send, 'Throttled', now)).toBe('postponed');

  const postponed = await get(send);
  expect(postponed).toMatchObject({ status: 'queued', attempt: 1 });
  expect(await dueTimesOf(send)).toEqual([postponed.dueAt]);
});

describe('a change of plan', () => {
  const contents = memoryContents();
  const { log } = recordLog();
  const wakeSenders = async () => {};
  const changing = (store = waiting) => ({
    now: () => now,
    waiting: store,
    wakeSenders,
    organizations: { get: async (): Promise<Organization | undefined> => undefined },
    wakeQueue: async () => {},
  });
  const keys = { real: buildApiKey().apiKey, test: buildApiKey({ test: true }).apiKey };
  const by = ({ id }: Send, apiKey = keys.real) => {
    const organizationId = organizationIdOf(id);
    return { id, caller: { organizationId, actor: apiKey.id, apiKey } };
  };
  const entriesOf = async ({ id }: Send) =>
    (
      await listAuditEntries(table, organizationIdOf(id), { limit: 10, before: undefined }, now)
    ).entries
      .filter(({ target }) => target === id)
      .map(({ action, before, after }) => ({ action, before, after }));

  it('is rejected when a worker was faster', async () => {
    const send = await waitNew();
    const late = doBefore('TransactWriteItems', 0, () => waiting.begin(send, attemptOf(send)));
    const canceling = { ...changing(disturbed(late)), contents };

    await expect(cancelSend(by(send), canceling, log)).rejects.toMatchObject({
      code: 'send_not_waiting',
    });
  });

  it('cancels a send that was moved in between, and again when repeated', async () => {
    const send = await waitNew();
    const moved = movedTo(now + 60_000, send, now, plan);
    const late = doBefore('TransactWriteItems', 0, () => waiting.move(send, moved));

    for (const store of [disturbed(late), waiting]) {
      const canceled = await cancelSend(by(send), { ...changing(store), contents }, log);
      expect(canceled).toMatchObject({ sendId: send.id, status: 'canceled' });
    }
    expect(await dueTimesOf(send)).toEqual([]);
  });

  const moving = {
    ...changing(),
    keyed: { find: async () => undefined, keepOrigin: async () => true },
    patienceMs,
    sendRetentionDays: 90,
  };

  it('to another time is reported to webhooks, and wakes a worker at the right time', async () => {
    const send = await waitNew();
    const organization = buildOrganization({ id: organizationIdOf(send.id) });
    const webhooks = { [newWebhookId(organization.id)]: { eventTypes: [] } };
    const woken: unknown[] = [];

    await moveSend(by(send), now + 60_000, {
      ...moving,
      organizations: { get: async () => ({ ...organization, webhooks }) },
      wakeSenders: async (sends) => void woken.push(...sends),
    });

    const timeline = await getTimeline(table, send.id, now);
    expect(timeline?.deliveries.map(({ type }) => type)).toEqual(['email.scheduled']);
    expect(woken).toEqual([{ slotId: slotIdIn(send.id), delayMs: 60_000 }]);
  });

  const subscribed = (send: Send, eventTypes: string[]) => {
    const organization = buildOrganization({ id: organizationIdOf(send.id) });
    const webhooks = { [newWebhookId(organization.id)]: { eventTypes } };
    return { organizations: { get: async () => ({ ...organization, webhooks }) } };
  };
  const typesOf = async ({ id }: Send) =>
    (await getTimeline(table, id, now))?.deliveries.map(({ type }) => type);

  it('to each time is reported to webhooks, even a time it had before, but not twice in a row', async () => {
    const send = await waitNew();
    const listening = { ...moving, ...subscribed(send, []) };

    for (const minutes of [1, 2, 1, 1]) {
      await moveSend(by(send), now + minutes * 60_000, listening);
    }

    expect(await typesOf(send)).toEqual(['email.scheduled', 'email.scheduled', 'email.scheduled']);
  });

  it('to now is reported to endpoints that subscribe', async () => {
    const [send, other] = [await waitNew(), await waitNew()];

    await moveSend(by(send), now, { ...moving, ...subscribed(send, ['email.queued']) });
    await moveSend(by(other), now, { ...moving, ...subscribed(other, []) });

    expect(await typesOf(send)).toEqual(['email.queued']);
    expect(await typesOf(other)).toEqual([]);
  });

  it('that cancels is reported to webhooks once, even if its answer is lost or it is repeated', async () => {
    const send = await waitNew();
    const lost = disturbed(loseFirstAnswer('TransactWriteItems'));
    const woken: unknown[] = [];
    const wakeQueue = async (rows: readonly unknown[]) => void woken.push(...rows);

    for (const store of [lost, waiting]) {
      const canceling = { ...changing(store), ...subscribed(send, []), wakeQueue, contents };
      await cancelSend(by(send), canceling, log);
    }

    expect(await typesOf(send)).toEqual(['email.canceled']);
    expect(woken).toMatchObject([{ type: 'email.canceled' }]);
  });

  it("that cancels isn't reported when it's rejected", async () => {
    const send = await waitNew();
    const late = doBefore('TransactWriteItems', 0, () => waiting.begin(send, attemptOf(send)));
    const canceling = { ...changing(disturbed(late)), ...subscribed(send, []), contents };

    await expect(cancelSend(by(send), canceling, log)).rejects.toThrow();

    expect(await typesOf(send)).toEqual([]);
  });

  it('to another time keeps a freed key for as long, before the send is moved', async () => {
    const send = await waitNew({ idempotencyKey: 'key-1', expiresAt: expiryAfter(now, 90) });
    const origin = buildSend({ freed: 1 });
    const kept: unknown[] = [];
    const keyed = {
      find: async () => ({ origin, send }),
      keepOrigin: async (one: Send, { dueAt, expiresAt }: Send) => {
        kept.push([one.id, dueAt, expiresAt, (await get(send)).dueAt]);
        return true;
      },
    };

    await moveSend(by(send), now + 60_000, { ...moving, keyed });

    expect(kept).toEqual([[origin.id, now + 60_000, expiryAfter(now + 60_000, 90), now]]);
  });

  it.each([
    ['of a test email', { test: true as const }, { isTest: true }],
    ['of a real one', {}, {}],
  ])('to another time keeps the key %s, not its namesake', async (_, mode, slotMode) => {
    const send = await waitNew({ idempotencyKey: 'key-1', ...mode });
    const asked: string[] = [];
    const keyed = {
      ...moving.keyed,
      find: async (slotId: string) => {
        asked.push(slotId);
        return undefined;
      },
    };

    await moveSend(by(send), now + 60_000, { ...moving, keyed });

    expect(asked).toEqual([slotIdOf(organizationIdOf(send.id), 'key-1', slotMode)]);
  });

  it('to another time leaves another send that has taken the key alone', async () => {
    const send = await waitNew({ idempotencyKey: 'key-1' });
    const other = buildSend();
    const kept: unknown[] = [];
    const keyed = {
      find: async () => ({ origin: other, send: other }),
      keepOrigin: async (one: Send) => kept.push(one.id) > 0,
    };

    await moveSend(by(send), now + 60_000, { ...moving, keyed });

    expect(kept).toEqual([]);
  });

  it("is rejected when it moves more than 30 days past the send's creation", async () => {
    const send = await waitNew();
    const longest = now + 30 * 86_400_000;

    await expect(moveSend(by(send), longest + 1, moving)).rejects.toMatchObject({
      code: 'validation_failed',
    });
    const answer = await moveSend(by(send), longest, moving);
    expect(answer).toMatchObject({ status: 'scheduled', sendAt: longest });
    expect(await entriesOf(send)).toEqual([
      { action: 'send.moved', before: {}, after: { sendAt: longest } },
    ]);
  });

  it('deletes the content of what it cancels before it answers, or asks a worker to', async () => {
    const [send, other] = [await waitNew(), await waitNew()];
    const stored = memoryContents();
    const woken: unknown[] = [];
    for (const { id, contentId = '' } of [send, other]) {
      await stored.put(contentPlace(organizationIdOf(id), contentId), {});
    }
    const canceling = {
      ...changing(),
      wakeSenders: async (sends: readonly unknown[]) => void woken.push(...sends),
    };
    const remove = () => Promise.reject(new Error());

    await cancelSend(by(send), { ...canceling, contents: stored }, log);
    expect(stored.objects.size).toBe(1);
    expect(woken).toHaveLength(1);

    await cancelSend(by(other), { ...canceling, contents: { remove } }, log);
    expect(await get(other)).toMatchObject({ status: 'canceled' });
    expect(woken).toHaveLength(3);
  });

  it('is audited once, even if its answer is lost or it is repeated', async () => {
    const send = await waitNew();
    const lost = disturbed(loseFirstAnswer('TransactWriteItems'));

    for (const store of [lost, waiting]) {
      await cancelSend(by(send), { ...changing(store), contents }, log);
    }

    expect(await entriesOf(send)).toEqual([{ action: 'send.canceled' }]);
  });

  it('has a worker look at the send a minute later, so that its content is deleted even if a process dies', async () => {
    const send = await waitNew();
    const woken: unknown[] = [];
    const dying = {
      ...changing(disturbed(doBefore('TransactWriteItems', 0, () => Promise.reject(new Error())))),
      wakeSenders: async (sends: readonly unknown[]) => void woken.push(...sends),
    };

    await expect(cancelSend(by(send), { ...dying, contents }, log)).rejects.toThrow();

    expect(woken).toEqual([{ slotId: slotIdIn(send.id), delayMs: 60_000 }]);
    expect(await entriesOf(send)).toEqual([]);
  });

  it('of a real email isn’t allowed for a test key or another organization', async () => {
    const send = await waitNew();
    const foreign = { ...by(send), caller: by(await waitNew()).caller };

    for (const planned of [by(send, keys.test), foreign]) {
      const canceled = cancelSend(planned, { ...changing(), contents }, log);
      await expect(canceled).rejects.toMatchObject({ code: 'send_not_found' });
    }
    expect(
      await cancelSend(
        by(await waitNew({ test: true }), keys.test),
        { ...changing(), contents },
        log,
      ),
    ).toMatchObject({ status: 'canceled', test: true });
  });
});
