import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { findSendByMessage } from '#shared/send-history/named-sends-store';
import { anonymiseSend } from '#shared/send-history/send-erasure-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { type Acceptance, type Send, stateAt } from '#shared/sending/send';
import {
  commitAcceptance,
  getKeyedSend,
  recordFailure,
  recordProof,
  recordRejection,
} from '#shared/sending/send-store';
import { sendKey } from '#shared/table/send-keys';
import { organizationIdOf, slotIdIn } from '#shared/tokens/resource-id';
import { itemSize } from '../../bench/request-units.ts';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import {
  Death,
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { noContentErasure } from '../../support/memory-contents.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { leaseMs } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const leaseEnd = claimNow + leaseMs;

let messages = 0;
const buildAcceptance = (): Acceptance => {
  messages += 1;
  return { providerMessageId: `settlement-${process.pid}-${messages}`, at: claimNow + 500 };
};

/** A send that has claimed its slot and is `sending`. */
async function claimNew(overrides: Partial<Send> = {}): Promise<Send> {
  const send = buildClaim(overrides);
  await claimSend(table, send);
  return send;
}

/** What a retry under the send's key gets. */
const retryUnderKeyOf = (send: Send, overrides: Partial<Send> = {}) =>
  claimSend(table, buildClaim({ organizationId: organizationIdOf(send.id), ...overrides }));

/** The send's next attempt, by a retry at that time. */
async function nextAttemptOf(send: Send, claimedAt: number): Promise<Send> {
  const outcome = await retryUnderKeyOf(send, { claimedAt });
  if (outcome.kind !== 'claimed') throw new Error(`not claimed: ${outcome.kind}`);
  return outcome.send;
}

/** A send in doubt that a retry has taken over. */
async function takeOverNew() {
  const first = await claimNew();
  return { first, second: await nextAttemptOf(first, leaseEnd) };
}

const slotOf = async ({ id }: Send) => (await getKeyedSend(table, slotIdIn(id), claimNow))?.send;
const timelineOf = ({ id }: Send) => getTimeline(table, id, claimNow);

describe('commitAcceptance', () => {
  it('stores status, message and event, and completes the key', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();
    const { providerMessageId, at } = acceptance;

    const outcome = await commitAcceptance(table, send, acceptance, []);

    const settled = { ...send, status: 'sent', providerMessageId, sentAt: at };
    expect(outcome).toEqual({ kind: 'settled', send: settled });
    expect(await timelineOf(send)).toEqual({
      send: { ...settled, updatedAt: at },
      messages: [
        {
          sendId: send.id,
          provider: 'ses',
          fromEmail: send.fromEmail,
          toEmail: send.toEmail,
          feedbackId: send.feedbackId,
          providerMessageId,
          createdAt: at,
        },
      ],
      events: [{ type: 'sent', ts: at, providerMessageId }],
      deliveries: [],
    });
    expect(await retryUnderKeyOf(send)).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'sent', messageId: providerMessageId },
    });
  });

  it.each([
    ['without webhook deliveries', () => []],
    ['with webhook deliveries', (send: Send) => buildDeliveries(send.feedbackId)],
  ])('%s changes nothing when the message is known', async (_what, deliveriesOf) => {
    const send = await claimNew();
    const acceptance = buildAcceptance();
    await commitAcceptance(table, send, acceptance, deliveriesOf(send));
    const before = await timelineOf(send);

    const again = { ...acceptance, at: acceptance.at + 9_000 };
    const outcome = await commitAcceptance(table, send, again, deliveriesOf(send));

    expect(outcome).toMatchObject({ kind: 'known', send: { status: 'sent' } });
    expect(await timelineOf(send)).toEqual(before);
  });

  it.each([
    ['UpdateItem', () => [], 'known'],
    ['TransactWriteItems', (send: Send) => buildDeliveries(send.feedbackId), 'settled'],
  ])('by %s is committed even if its answer is lost', async (operation, deliveriesOf, kind) => {
    const send = await claimNew();
    const disturbed = openDisturbedTable(loseFirstAnswer(operation));
    const deliveries = deliveriesOf(send);
    const acceptance = buildAcceptance();

    const outcome = await commitAcceptance(disturbed, send, acceptance, deliveries);

    const { providerMessageId } = acceptance;
    expect(outcome).toMatchObject({ kind, send: { status: 'sent', providerMessageId } });
    expect(await timelineOf(send)).toMatchObject({
      messages: [{ providerMessageId }],
      deliveries,
    });
  });

  it.each([
    ['without webhook deliveries', () => []],
    ['with webhook deliveries', (send: Send) => buildDeliveries(send.feedbackId)],
  ])(
    '%s is settled by only one of many concurrent requests and events',
    async (_what, deliveriesOf) => {
      const send = await claimNew();
      const acceptance = buildAcceptance();
      const deliveries = deliveriesOf(send);

      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => commitAcceptance(table, send, acceptance, deliveries)),
      );

      const { providerMessageId } = acceptance;
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
        ...Array(19).fill('known'),
        'settled',
      ]);
      expect(await timelineOf(send)).toMatchObject({
        send: { status: 'sent', providerMessageId },
        messages: [{ providerMessageId }],
        events: [{ type: 'sent', providerMessageId }],
        deliveries,
      });
    },
  );

  it('returns that the send is gone, and leaves nothing behind', async () => {
    const send = buildClaim();
    await putOrganization(table, buildOrganization({ id: organizationIdOf(send.id) }));
    const acceptance = buildAcceptance();

    const outcomes = [
      await commitAcceptance(table, send, acceptance, []),
      await commitAcceptance(table, send, acceptance, buildDeliveries(send.feedbackId)),
    ];

    const { providerMessageId } = acceptance;
    expect(outcomes.map(({ kind }) => kind)).toEqual(['gone', 'gone']);
    expect(
      await findSendByMessage(table, organizationIdOf(send.id), providerMessageId, claimNow),
    ).toBeUndefined();
    expect(await slotOf(send)).toBeUndefined();
  });

  it('by an abandoned attempt settles the send, whichever attempt is under way', async () => {
    const { first } = await takeOverNew();
    const acceptance = buildAcceptance();

    const outcome = await commitAcceptance(table, first, acceptance, []);

    const { providerMessageId } = acceptance;
    expect(outcome).toMatchObject({ kind: 'settled', send: { providerMessageId } });
    expect(await slotOf(first)).toMatchObject({ status: 'sent', attempt: 2, providerMessageId });
  });

  it('by an abandoned attempt keeps its webhook deliveries as long as the send', async () => {
    const first = await claimNew();
    const expiresAt = first.expiresAt + 300;
    await retryUnderKeyOf(first, { claimedAt: leaseEnd, expiresAt });
    const given = buildDeliveries(first.feedbackId);

    await commitAcceptance(table, first, buildAcceptance(), given);

    const deliveries = given.map((delivery) => ({ ...delivery, expiresAt }));
    expect(await timelineOf(first)).toMatchObject({ send: { expiresAt }, deliveries });
  });

  it('makes a failed send `sent`', async () => {
    const send = await claimNew();
    await recordFailure(table, send, 'Throttled', claimNow);
    const acceptance = buildAcceptance();
    const deliveries = buildDeliveries(send.feedbackId);

    const outcome = await commitAcceptance(table, send, acceptance, deliveries);

    const { providerMessageId } = acceptance;
    expect(outcome.kind).toBe('settled');
    expect(await timelineOf(send)).toMatchObject({
      send: { status: 'sent', providerMessageId, attempts: [{ reason: 'Throttled' }] },
      messages: [{ providerMessageId }],
      events: [{ type: 'sent', providerMessageId }],
      deliveries,
    });
  });

  it('makes a suppressed send `sent`', async () => {
    const send = await claimNew({ status: 'suppressed' });

    await commitAcceptance(table, send, buildAcceptance(), []);

    expect(await slotOf(send)).toMatchObject({ status: 'sent' });
  });

  it('gives a proven send its message', async () => {
    const send = await claimNew();
    await recordProof(table, send, claimNow + 100);
    const acceptance = buildAcceptance();

    await commitAcceptance(table, send, acceptance, []);

    expect(await slotOf(send)).toMatchObject({ status: 'sent', sentAt: acceptance.at });
    expect(await slotOf(send)).not.toHaveProperty('provenAt');
    expect(await retryUnderKeyOf(send)).toMatchObject({
      response: { messageId: acceptance.providerMessageId },
    });
  });
});

describe('accepting a further message', () => {
  it('shows it beside the first, and reports it to webhooks separately', async () => {
    const send = await claimNew();
    await putOrganization(table, buildOrganization({ id: organizationIdOf(send.id) }));
    const [first, second] = [buildAcceptance(), buildAcceptance()];
    const deliveries = [
      buildDeliveries(send.feedbackId, 'first'),
      buildDeliveries(send.feedbackId, 'second'),
    ];
    await commitAcceptance(table, send, first, deliveries[0] ?? []);

    const outcome = await commitAcceptance(table, send, second, deliveries[1] ?? []);

    const ids = [first.providerMessageId, second.providerMessageId];
    const timeline = await timelineOf(send);
    expect(outcome).toMatchObject({ kind: 'further', send: { providerMessageId: ids[0] } });
    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual(ids);
    expect(timeline?.events).toMatchObject(
      ids.map((providerMessageId) => ({ type: 'sent', providerMessageId })),
    );
    expect(timeline?.send).toMatchObject({ status: 'sent', providerMessageId: ids[0] });
    expect(new Set(timeline?.deliveries.map(({ id }) => id))).toEqual(
      new Set(deliveries.flat().map(({ id }) => id)),
    );
    const found = await findSendByMessage(
      table,
      organizationIdOf(send.id),
      second.providerMessageId,
      claimNow,
    );
    expect(found?.id).toBe(send.id);
  });

  it('is recorded once, however often it is reported', async () => {
    const send = await claimNew();
    const [first, second] = [buildAcceptance(), buildAcceptance()];
    await commitAcceptance(table, send, first, []);
    const deliveries = buildDeliveries(send.feedbackId);

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => commitAcceptance(table, send, second, deliveries)),
    );
    const late = await commitAcceptance(table, send, { ...second, at: claimNow + 9_000 }, []);

    const timeline = await timelineOf(send);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual([
      'further',
      ...Array(7).fill('known'),
    ]);
    expect(late.kind).toBe('known');
    expect(timeline?.messages).toHaveLength(2);
    expect(timeline?.deliveries).toEqual(deliveries);
  });

  it('settles the send when the first is rejected between read and write', async () => {
    const claimed = await claimNew();
    const [first, second] = [buildAcceptance(), buildAcceptance()];
    const { send } = await commitAcceptance(table, claimed, first, []);
    const disturbed = openDisturbedTable(
      doBefore('TransactWriteItems', 0, () => recordRejection(table, send, first, 'Bad content')),
    );
    const deliveries = buildDeliveries(send.feedbackId);

    const outcome = await commitAcceptance(disturbed, send, second, deliveries);

    const timeline = await timelineOf(send);
    expect(outcome).toMatchObject({
      kind: 'settled',
      send: { status: 'sent', providerMessageId: second.providerMessageId },
    });
    expect(timeline?.messages).toHaveLength(2);
    expect(timeline?.send).toMatchObject({
      status: 'sent',
      providerMessageId: second.providerMessageId,
      attempts: [{ providerMessageId: first.providerMessageId }],
    });
    expect(timeline?.deliveries).toEqual(deliveries);
  });

  it('leaves one first and one further message when both arrive at once', async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const send = await claimNew();
      const acceptances = [buildAcceptance(), buildAcceptance()];

      const outcomes = await Promise.all(
        acceptances.map((acceptance) => commitAcceptance(table, send, acceptance, [])),
      );

      const timeline = await timelineOf(send);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['further', 'settled']);
      expect(new Set(timeline?.messages.map((message) => message.providerMessageId))).toEqual(
        new Set(acceptances.map(({ providerMessageId }) => providerMessageId)),
      );
    });

    await Promise.all(rounds);
  });
});

describe('recordFailure', () => {
  it('stores the attempt with its reason, and lets a retry make the next', async () => {
    const send = await claimNew();
    const at = claimNow + 500;

    const outcome = await recordFailure(table, send, 'MessageRejected', at);

    const attempts = [{ attempt: 1, at, reason: 'MessageRejected' }];
    expect(outcome).toBe('failed');
    expect(await timelineOf(send)).toEqual({
      send: { ...send, status: 'failed', attempts, updatedAt: at },
      messages: [],
      events: [],
      deliveries: [],
    });
    expect(await retryUnderKeyOf(send)).toMatchObject({ kind: 'claimed', send: { id: send.id } });
  });

  it('keeps the failures of earlier attempts', async () => {
    const first = await claimNew();
    await recordFailure(table, first, 'Throttled', claimNow);
    const second = await nextAttemptOf(first, claimNow + 10_000);

    await recordFailure(table, second, 'MessageRejected', claimNow + 10_000);

    expect(await slotOf(first)).toMatchObject({
      status: 'failed',
      attempts: [
        { attempt: 1, reason: 'Throttled' },
        { attempt: 2, reason: 'MessageRejected' },
      ],
    });
  });

  it('changes nothing when the send was sent in between, and the key still replays', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);

    expect(await recordFailure(table, send, 'Throttled', claimNow)).toBe('lost');
    expect(await retryUnderKeyOf(send)).toMatchObject({
      kind: 'replay',
      response: { status: 'sent' },
    });
  });

  it('changes nothing when a pixel or link of the email was fetched in between', async () => {
    const { second } = await takeOverNew();
    await recordProof(table, second, leaseEnd + 100);

    expect(await recordFailure(table, second, 'Throttled', leaseEnd + 200)).toBe('lost');
    expect(await slotOf(second)).toMatchObject({
      status: 'sending',
      attempts: [{ reason: 'Unanswered' }],
    });
  });

  it("changes nothing when the send doesn't exist", async () => {
    expect(await recordFailure(table, buildClaim(), 'Throttled', claimNow)).toBe('lost');
  });

  it('recognizes its own write when its answer was lost', async () => {
    const send = await claimNew();
    const disturbed = openDisturbedTable(loseFirstAnswer('UpdateItem'));

    const outcome = await recordFailure(disturbed, send, 'Throttled', claimNow);

    expect(outcome).toBe('failed');
    expect(await slotOf(send)).toMatchObject({ status: 'failed', attempts: [{ attempt: 1 }] });
  });

  it('changes nothing when an acceptance arrives before its own answer', async () => {
    const send = await claimNew();
    const disturbed = openDisturbedTable(
      loseFirstAnswer('UpdateItem', () => commitAcceptance(table, send, buildAcceptance(), [])),
    );

    const outcome = await recordFailure(disturbed, send, 'Throttled', claimNow);

    expect(outcome).toBe('lost');
    expect(await slotOf(send)).toMatchObject({ status: 'sent' });
  });

  it('concurrent with an acceptance leaves the send `sent`', async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const send = await claimNew();

      const [acceptance, failure] = await Promise.all([
        commitAcceptance(table, send, buildAcceptance(), []),
        recordFailure(table, send, 'Throttled', claimNow),
      ]);

      const timeline = await timelineOf(send);
      expect(acceptance.kind).toBe('settled');
      expect(timeline?.send.attempts).toHaveLength(failure === 'failed' ? 1 : 0);
      expect(timeline).toMatchObject({ send: { status: 'sent' }, messages: [{}], events: [{}] });
      expect((await retryUnderKeyOf(send)).kind).toBe('replay');
    });

    await Promise.all(rounds);
  });
});

describe('a failed takeover', () => {
  it('is held while the previous attempt may still be proven accepted', async () => {
    const { first, second } = await takeOverNew();
    const at = leaseEnd + 500;

    const outcome = await recordFailure(table, second, 'MessageRejected', at);

    expect(outcome).toBe('held');
    expect(await slotOf(first)).toMatchObject({
      status: 'sending',
      attempts: [
        { attempt: 1, at: leaseEnd, reason: 'Unanswered' },
        { attempt: 2, at, reason: 'MessageRejected' },
      ],
    });
    expect(await retryUnderKeyOf(first, { claimedAt: at + 1 })).toMatchObject({
      kind: 'in_progress',
    });
  });

  it('recognizes its own write when its answer was lost', async () => {
    const { second } = await takeOverNew();
    const disturbed = openDisturbedTable(loseFirstAnswer('UpdateItem'));

    const outcome = await recordFailure(disturbed, second, 'MessageRejected', leaseEnd + 500);

    expect(outcome).toBe('held');
    expect(await slotOf(second)).toMatchObject({
      status: 'sending',
      attempts: [{ attempt: 1 }, { attempt: 2 }],
    });
  });

  it('changes nothing once the previous attempt is proven: the send is `sent`', async () => {
    const { first, second } = await takeOverNew();
    await recordFailure(table, second, 'MessageRejected', leaseEnd + 500);
    const acceptance = buildAcceptance();

    await commitAcceptance(table, first, acceptance, []);

    expect(await retryUnderKeyOf(first, { claimedAt: leaseEnd + 1_000 })).toMatchObject({
      kind: 'replay',
      response: { status: 'sent', messageId: acceptance.providerMessageId },
    });
  });

  it('lets a retry continue when its lease ends, whose own failure is then final', async () => {
    const { first, second } = await takeOverNew();
    await recordFailure(table, second, 'MessageRejected', leaseEnd + 500);
    const later = leaseEnd + leaseMs;
    const third = await nextAttemptOf(first, later);

    const outcome = await recordFailure(table, third, 'Throttled', later + 500);

    expect(third).toMatchObject({ id: first.id, attempt: 3 });
    expect(outcome).toBe('failed');
    expect(await slotOf(first)).toMatchObject({
      status: 'failed',
      attempts: [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, reason: 'MessageRejected' },
        { attempt: 3, reason: 'Throttled' },
      ],
    });
  });
});

describe('an abandoned attempt', () => {
  it("can't fail its successor (how an email was once sent twice)", async () => {
    // SES refuses attempt A, the table is silent while A stores the failure, and Lambda freezes A.
    const a = await claimNew();
    const b = await nextAttemptOf(a, leaseEnd);
    const before = await slotOf(a);

    // A thaws, and its write arrives.
    const failureOfA = await recordFailure(table, a, 'MessageRejected', claimNow + 500);
    const meanwhile = await slotOf(a);
    const acceptance = buildAcceptance();
    const commitOfB = await commitAcceptance(table, b, acceptance, []);
    const next = await retryUnderKeyOf(a, { claimedAt: leaseEnd + 1_000 });

    const { providerMessageId } = acceptance;
    expect(failureOfA).toBe('lost');
    expect(meanwhile).toEqual(before);
    expect(commitOfB).toMatchObject({ kind: 'settled', send: { providerMessageId } });
    expect(next).toEqual({
      kind: 'replay',
      response: { sendId: a.id, status: 'sent', messageId: providerMessageId },
    });
    expect((await timelineOf(a))?.messages).toHaveLength(1);
  });

  it("doesn't mistake its successor's failure for its own", async () => {
    const { first, second } = await takeOverNew();
    const outcomes = [];
    const at = leaseEnd + leaseMs;

    await recordFailure(table, second, 'Throttled', leaseEnd + 500);
    const held = await slotOf(first);
    outcomes.push(await recordFailure(table, first, 'MessageRejected', claimNow + 500));
    const afterHeld = await slotOf(first);
    const third = await nextAttemptOf(first, at);
    await recordFailure(table, third, 'Throttled', at);
    const failed = await slotOf(first);
    outcomes.push(await recordFailure(table, first, 'MessageRejected', claimNow + 500));

    expect(outcomes).toEqual(['lost', 'lost']);
    expect([held?.status, failed?.status]).toEqual(['sending', 'failed']);
    expect(afterHeld).toEqual(held);
    expect(await slotOf(first)).toEqual(failed);
  });
});

describe('recordRejection', () => {
  /** A send that SES took. */
  async function sendNew() {
    const claimed = await claimNew();
    const acceptance = buildAcceptance();
    const { send } = await commitAcceptance(table, claimed, acceptance, []);
    return { claimed, send, acceptance };
  }

  it('fails a send that SES took and then rejected, and shows the outcome', async () => {
    const { send, acceptance } = await sendNew();
    const { providerMessageId, at } = acceptance;

    await recordRejection(table, send, acceptance, 'Bad content');

    const attempts = [{ attempt: 1, at, reason: 'Bad content', providerMessageId, sentAt: at }];
    const timeline = await timelineOf(send);
    expect(timeline?.send).toMatchObject({ status: 'failed', attempts });
    expect(timeline?.messages).toMatchObject([{ providerMessageId }]);
    expect(timeline?.events).toEqual([{ type: 'sent', ts: at, providerMessageId }]);
  });

  it('lets a retry make the next attempt, which keeps the rejected message in the timeline', async () => {
    const { send, acceptance } = await sendNew();
    await recordRejection(table, send, acceptance, 'Bad content');

    const next = await nextAttemptOf(send, claimNow + 10_000);
    const second = buildAcceptance();
    await commitAcceptance(table, next, second, []);

    const timeline = await timelineOf(send);
    expect(next).toMatchObject({ id: send.id, attempt: 2 });
    expect(timeline?.send).toMatchObject({ status: 'sent' });
    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      acceptance.providerMessageId,
      second.providerMessageId,
    ]);
  });

  it('leaves the next attempt alone when it is repeated', async () => {
    const { send, acceptance } = await sendNew();
    await recordRejection(table, send, acceptance, 'Bad content');
    const next = await nextAttemptOf(send, claimNow + 10_000);

    await recordRejection(table, send, acceptance, 'Bad content');

    expect(await slotOf(send)).toEqual(next);
  });

  it('changes nothing for a further message', async () => {
    const { send } = await sendNew();
    const further = buildAcceptance();
    await commitAcceptance(table, send, further, []);
    const before = await timelineOf(send);

    await recordRejection(table, send, further, 'Bad content');

    expect(await timelineOf(send)).toEqual(before);
  });

  it.each([
    ['without webhook deliveries', () => []],
    ['with webhook deliveries', (send: Send) => buildDeliveries(send.feedbackId)],
  ])('stands when the request commits after it, %s', async (_what, deliveriesOf) => {
    const claimed = await claimNew();
    const deliveries = deliveriesOf(claimed);
    const acceptance = buildAcceptance();
    // The Reject event is faster than the request: it settles the send, then fails it.
    const { send } = await commitAcceptance(table, claimed, acceptance, deliveries);
    await recordRejection(table, send, acceptance, 'Bad content');
    const before = await timelineOf(send);

    const outcome = await commitAcceptance(table, claimed, acceptance, deliveries);

    expect(outcome).toMatchObject({ kind: 'known', send: { status: 'failed' } });
    expect(await timelineOf(send)).toEqual(before);
  });

  it('stands when the request commits while the next attempt is under way', async () => {
    const { claimed, send, acceptance } = await sendNew();
    await recordRejection(table, send, acceptance, 'Bad content');
    const next = await nextAttemptOf(send, claimNow + 10_000);

    const outcome = await commitAcceptance(table, claimed, acceptance, []);

    expect(outcome.kind).toBe('known');
    expect(await slotOf(send)).toEqual(next);
  });

  it.each([
    ['without webhook deliveries', () => []],
    ['with webhook deliveries', (send: Send) => buildDeliveries(send.feedbackId)],
  ])('for the first of two messages leaves the other, %s', async (_what, deliveriesOf) => {
    const { send, acceptance } = await sendNew();
    const further = buildAcceptance();
    const deliveries = deliveriesOf(send);
    await commitAcceptance(table, send, further, deliveries);
    await recordRejection(table, send, acceptance, 'Bad content');

    // Any later event of the other message reports it again.
    const existing = (await slotOf(send)) ?? send;
    await commitAcceptance(table, existing, further, deliveries);

    const timeline = await timelineOf(send);
    expect(existing.status).toBe('failed');
    expect(timeline?.send).toMatchObject({
      status: 'sent',
      providerMessageId: further.providerMessageId,
    });
    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      acceptance.providerMessageId,
      further.providerMessageId,
    ]);
    expect(timeline?.deliveries).toEqual(deliveries);
  });
});

describe('recordProof', () => {
  it('makes a send in doubt `sent`, and keeps the first time that was learned', async () => {
    const send = await claimNew();

    await recordProof(table, send, claimNow + 100);
    await recordProof(table, send, claimNow + 200);

    const proven = await slotOf(send);
    expect(proven).toMatchObject({ status: 'sending', provenAt: claimNow + 100 });
    expect(proven && stateAt(proven, leaseEnd)).toEqual({ status: 'sent' });
  });

  it('says nothing about the next attempt when the message was rejected', async () => {
    const send = await claimNew();
    const rejected = buildAcceptance();
    const { send: sent } = await commitAcceptance(table, send, rejected, []);
    await recordRejection(table, sent, rejected, 'Bad content');
    await retryUnderKeyOf(send);
    const before = await slotOf(send);

    // Once as the send was read before its rejection, and once as it is now.
    await recordProof(table, send, claimNow + 100, rejected.providerMessageId);
    if (before) await recordProof(table, before, claimNow + 100, rejected.providerMessageId);

    expect(before).toMatchObject({ status: 'sending', attempt: 2 });
    expect(await slotOf(send)).toEqual(before);
  });

  it('applies to the next attempt, too, when it is from another message', async () => {
    const { first, second } = await takeOverNew();

    await recordProof(table, first, leaseEnd + 100, buildAcceptance().providerMessageId);

    expect(await slotOf(second)).toMatchObject({ attempt: 2, provenAt: leaseEnd + 100 });
  });

  it('changes nothing for a send whose message is known', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);
    const before = await slotOf(send);

    await recordProof(table, send, claimNow + 100);

    expect(await slotOf(send)).toEqual(before);
  });

  it("doesn't create a send", async () => {
    const send = buildClaim();

    await recordProof(table, send, claimNow + 100);

    expect(await slotOf(send)).toBeUndefined();
  });
});

describe("a send's item", () => {
  it('costs one write unit when it is typical', async () => {
    const send = buildClaim({
      fromEmail: 'notifications@mail.example.com',
      toEmail: 'somebody.with-a-name@example.c',
      subject: 'x'.repeat(60),
      idempotencyKey: '3b241101-e2bb-4255-8caf-4136c566a962',
      fingerprint: 'x'.repeat(43),
    });
    expect([send.fromEmail.length, send.toEmail.length]).toEqual([30, 30]);
    await claimSend(table, send);
    const providerMessageId = '0102018f5e7d1f60-00000000-0000-4000-8000-000000000000-000000';
    expect(providerMessageId).toHaveLength(60);
    await commitAcceptance(table, send, { providerMessageId, at: claimNow + 500 }, []);

    const { Item } = await table.client.send(
      new GetCommand({
        TableName: table.name,
        Key: sendKey(slotIdIn(send.id)),
        ConsistentRead: true,
      }),
    );

    expect(Item).toMatchObject({ status: 'sent', providerMessageId });
    expect(itemSize(marshall(Item))).toBeLessThanOrEqual(1_024);
  });
});

describe('a failure reported to webhooks', () => {
  const ann = 'ann@example.com';
  const reason = 'MessageRejected';
  const failing = (
    on: typeof table,
    send: Send,
    deliveries = buildDeliveries(send.feedbackId),
  ) => ({
    deliveries,
    run: () => recordFailure(on, send, reason, claimNow + 500, deliveries),
  });

  it('is stored together with its deliveries', async () => {
    const send = await claimNew();
    const { deliveries, run } = failing(table, send);

    expect(await run()).toBe('failed');
    expect(await timelineOf(send)).toMatchObject({ send: { status: 'failed' }, deliveries });
  });

  it('is recognized when its answer was lost, and reported once', async () => {
    const send = await claimNew();
    const { deliveries, run } = failing(
      openDisturbedTable(loseFirstAnswer('TransactWriteItems')),
      send,
    );

    expect(await run()).toBe('failed');
    expect(await run()).toBe('failed');
    expect((await timelineOf(send))?.deliveries).toEqual(deliveries);
  });

  it('reports nothing when the process dies before storing it', async () => {
    const send = await claimNew();
    const { run } = failing(dyingTable(1), send);

    await expect(run()).rejects.toThrow(Death);
    expect(await timelineOf(send)).toMatchObject({ send: { status: 'sending' }, deliveries: [] });
  });

  it("isn't reported while an earlier attempt may still be proven accepted", async () => {
    const { second } = await takeOverNew();
    const deliveries = buildDeliveries(second.feedbackId);

    const outcome = await recordFailure(table, second, reason, leaseEnd + 500, deliveries);

    expect(outcome).toBe('held');
    expect((await timelineOf(second))?.deliveries).toEqual([]);
  });

  it("isn't reported once the email was proven sent", async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);
    const { run } = failing(table, send);

    expect(await run()).toBe('lost');
    expect((await timelineOf(send))?.deliveries).toEqual([]);
  });

  it.each([
    ['its address', { toEmail: ann }],
    ['its other addresses', { moreTo: [ann] }],
    ['its copies', { cc: [ann] }],
    ['its blind copies', { bcc: [ann] }],
    ['its subject', { moreTo: [ann], subject: `For ${ann}` }],
    ['its metadata', { moreTo: [ann], metadata: { member: ann, [ann]: 1 } }],
  ])('names nobody who was erased since the send was read from %s', async (_from, named) => {
    const send = await claimNew({ toEmail: 'bob@example.com', ...named });
    const [delivery] = buildDeliveries(send.feedbackId);
    const body = JSON.stringify({ data: named });
    const deliveries = delivery ? [{ ...delivery, body }] : [];
    const erasure = { identity: ann, expires: false };
    await anonymiseSend(table, noContentErasure, slotIdIn(send.id), erasure, leaseEnd + 1);

    expect(await failing(table, send, deliveries).run()).toBe('failed');
    const timeline = await timelineOf(send);
    expect(timeline?.send.status).toBe('failed');
    expect(timeline?.deliveries).toHaveLength(1);
    expect(JSON.stringify(timeline)).not.toContain('ann@');
  });

  it('is reported once for a message that SES rejected after taking it', async () => {
    const claimed = await claimNew();
    const acceptance = buildAcceptance();
    const { send } = await commitAcceptance(table, claimed, acceptance, []);
    const deliveries = buildDeliveries(send.feedbackId);
    const reject = (on = table) => recordRejection(on, send, acceptance, 'Bad content', deliveries);

    await expect(reject(dyingTable(1))).rejects.toThrow(Death);
    expect((await timelineOf(send))?.deliveries).toEqual([]);
    expect([await reject(), await reject()]).toEqual([true, false]);
    expect(await timelineOf(send)).toMatchObject({ send: { status: 'failed' }, deliveries });
  });
});
