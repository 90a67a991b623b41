import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { upsertEvent } from '#shared/events/event-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { findSendByMessage } from '#shared/send-history/named-sends-store';
import { getSend, getSendOfOrganization, getTimeline } from '#shared/send-history/timeline-store';
import { type ClaimOutcome, claimSend } from '#shared/sending/claim';
import { factsOf, type Send, type SendUnderWay } from '#shared/sending/send';
import { emailSuppressedDeliveries } from '#shared/sending/send-outbox';
import {
  commitAcceptance,
  getKeyedSend,
  recordFailure,
  recordProof,
} from '#shared/sending/send-store';
import { sendKey } from '#shared/table/send-keys';
import {
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  organizationIdOf,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { openOf } from '#shared/tracking/engagement';
import { buildClaim, claimNow } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import {
  Death,
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { asClaimed, leaseMs } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { storeHit } from '../../support/stored-hit.ts';

const table = openStoreTable();

const acceptance = { providerMessageId: 'message-1', at: claimNow + 500 };
const leaseEnd = claimNow + leaseMs;

/** A first request that has claimed its slot. */
async function claimFirst(overrides: Partial<Send> = {}) {
  const organizationId = newOrganizationId();
  const send = asClaimed(buildClaim({ organizationId, ...overrides }));
  await claimSend(table, send);
  return { organizationId, send };
}

/** Another request of the organization under the same idempotency key. */
const retry = (organizationId: OrganizationId, overrides: Partial<Send> = {}, on = table) =>
  claimSend(on, asClaimed(buildClaim({ organizationId, ...overrides })));

/** Another request after the first one's lease. */
const retryLate = (organizationId: OrganizationId, overrides: Partial<Send> = {}, on = table) =>
  retry(organizationId, { claimedAt: leaseEnd, ...overrides }, on);

const slotAt = async ({ id }: Send, now: number) =>
  (await getKeyedSend(table, slotIdIn(id), now))?.send;
const slotOf = (send: Send) => slotAt(send, send.claimedAt);

const deleteSend = ({ id }: Send) =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key: sendKey(slotIdIn(id)) }));

const timesEach = (count: number, run: () => Promise<ClaimOutcome>) =>
  Promise.all(Array.from({ length: count }, run));

const countsOf = (outcomes: readonly ClaimOutcome[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, ({ kind }) => kind)).map(([kind, list]) => [
      kind,
      list?.length,
    ]),
  );

const winnersOf = (outcomes: readonly ClaimOutcome[]): Send[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'claimed' ? [outcome.send] : []));

describe('a free slot', () => {
  it('is claimed together with its send', async () => {
    const send = buildClaim();

    const outcome = await claimSend(table, send);

    expect(outcome).toEqual({ kind: 'claimed', send, deliveries: [] });
    expect(await slotOf(send)).toEqual(send);
    expect(await getSend(table, send.feedbackId, claimNow)).toEqual(send);
  });

  it('stores every field of a send', async () => {
    const send = buildClaim({
      cc: ['bob@example.com'],
      bcc: ['cy@example.com'],
      suppressedRecipients: [{ email: 'cy@example.com', reason: 'bounce' }],
      missingVariables: ['name'],
      attachmentCount: 2,
      attachmentBytes: 1_000,
      endpoint: 'send-global',
      isReadableById: false,
    });

    await claimSend(table, send);

    expect(await slotOf(send)).toEqual(send);
  });

  it('is claimed by one of 20 concurrent requests, and only its send is stored', async () => {
    const organizationId = newOrganizationId();

    const outcomes = await timesEach(20, () => retry(organizationId));

    const winners = winnersOf(outcomes);
    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 19 });
    expect(await Promise.all(winners.map(slotOf))).toEqual(winners);
  });

  it('is claimed by one of two different requests that arrive ten times each at once', async () => {
    const organizationId = newOrganizationId();
    let requests = 0;

    const outcomes = await timesEach(20, () => {
      requests += 1;
      return retry(organizationId, { fingerprint: `request-${requests % 2}` });
    });

    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 9, key_reused: 10 });
  });
});

describe("a failed send's slot", () => {
  const claimFailed = async () => {
    const first = await claimFirst();
    await recordFailure(table, first.send, 'MessageRejected', claimNow);
    return first;
  };
  const failure = { attempt: 1, at: claimNow, reason: 'MessageRejected' };

  it('is claimed for the next attempt of that send', async () => {
    const { organizationId, send } = await claimFailed();

    const outcome = await retry(organizationId, { claimedAt: claimNow + 5_000 });

    expect(outcome).toMatchObject({
      kind: 'claimed',
      send: {
        id: send.id,
        feedbackId: send.feedbackId,
        status: 'sending',
        attempt: 2,
        attempts: [failure],
        leaseExpiresAt: leaseEnd + 5_000,
        createdAt: send.createdAt,
      },
    });
    expect(await Promise.all(winnersOf([outcome]).map(slotOf))).toEqual(winnersOf([outcome]));
  });

  it('is claimed by one of 8 concurrent retries', async () => {
    const { organizationId } = await claimFailed();

    const outcomes = await timesEach(8, () => retry(organizationId));

    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 7 });
    expect(winnersOf(outcomes)).toMatchObject([{ attempt: 2 }]);
  });

  it('is claimed even if it was deleted between read and claim', async () => {
    const { organizationId, send } = await claimFailed();
    // The first Put finds the failed send; the second is the next attempt.
    const disturbed = openDisturbedTable(doBefore('PutItem', 1, () => deleteSend(send)));

    const outcome = await retry(organizationId, {}, disturbed);

    const [claimed] = winnersOf([outcome]);
    expect(claimed).toMatchObject({ attempt: 1, attempts: [] });
    expect(claimed?.id).not.toBe(send.id);
    expect(claimed && (await slotOf(claimed))).toEqual(claimed);
  });

  it('is claimed for the next attempt of a send that took it and failed between read and claim', async () => {
    const { organizationId, send } = await claimFailed();
    const rivals: Send[] = [];
    const disturbed = openDisturbedTable(
      doBefore('PutItem', 1, async () => {
        await deleteSend(send);
        rivals.push(...winnersOf([await retry(organizationId)]));
        for (const rival of rivals) {
          await recordFailure(table, rival, 'MessageRejected', claimNow);
        }
      }),
    );

    const outcome = await retry(organizationId, {}, disturbed);

    expect(rivals).toHaveLength(1);
    expect(winnersOf([outcome])).toMatchObject(rivals.map(({ id }) => ({ id, attempt: 2 })));
  });
});

describe('a claim that keeps losing races', () => {
  it('leaves the slot to the request that claimed it after it was deleted', async () => {
    const { organizationId, send } = await claimFirst();
    await recordFailure(table, send, 'MessageRejected', claimNow);
    const rivals: ClaimOutcome[] = [];
    const { before: deleteIt } = doBefore('PutItem', 1, () => deleteSend(send));
    const { before: claimIt } = doBefore('PutItem', 2, async () => {
      rivals.push(await retry(organizationId));
    });
    const disturbed = openDisturbedTable({
      before: async (call) => {
        await deleteIt?.(call);
        await claimIt?.(call);
      },
    });

    const outcome = await retry(organizationId, {}, disturbed);

    expect(outcome.kind).toBe('in_progress');
    expect(await Promise.all(winnersOf(rivals).map(slotOf))).toEqual(winnersOf(rivals));
    expect(rivals).toMatchObject([{ kind: 'claimed', send: { attempt: 1 } }]);
  });

  it('is asked to retry after its own lease when the fourth try loses', async () => {
    const { organizationId, send } = await claimFirst();
    await recordFailure(table, send, 'MessageRejected', claimNow);
    let tries = 0;
    const disturbed = openDisturbedTable({
      before: async ({ operation }) => {
        if (operation !== 'PutItem') return;
        tries += 1;
        // Another retry makes the next attempt, which fails as well.
        const [rival] = winnersOf([await retry(organizationId)]);
        if (rival) await recordFailure(table, rival, 'MessageRejected', claimNow);
      },
    });

    const outcome = await retry(organizationId, { claimedAt: claimNow + 1_000 }, disturbed);

    expect(outcome).toEqual({ kind: 'in_progress', retryAt: leaseEnd + 1_000 });
    expect(tries).toBe(4);
    expect(await slotOf(send)).toMatchObject({ status: 'failed', attempt: 5 });
  });
});

describe('a slot whose lease has ended', () => {
  it('is taken over under the first send id, as the next attempt', async () => {
    const { organizationId, send } = await claimFirst();

    const outcome = await retryLate(organizationId);

    expect(outcome).toMatchObject({
      kind: 'claimed',
      send: {
        id: send.id,
        feedbackId: send.feedbackId,
        status: 'sending',
        attempt: 2,
        attempts: [{ attempt: 1, at: leaseEnd, reason: 'Unanswered' }],
        doubtUntil: leaseEnd + leaseMs,
      },
    });
    expect(await Promise.all(winnersOf([outcome]).map(slotOf))).toEqual(winnersOf([outcome]));
  });

  it('is taken over by exactly one of 20 concurrent retries', async () => {
    const { organizationId, send } = await claimFirst();

    const outcomes = await timesEach(20, () => retryLate(organizationId));

    expect(winnersOf(outcomes)).toMatchObject([{ id: send.id, attempt: 2 }]);
    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 19 });
  });

  it.each<[string, (send: Send) => Promise<unknown>]>([
    ['accepted', (send) => commitAcceptance(table, send, acceptance, [])],
    ['proven', (send) => recordProof(table, send, leaseEnd)],
  ])('is not taken over when it is %s between read and claim', async (_what, happen) => {
    const { organizationId, send } = await claimFirst();
    const disturbed = openDisturbedTable(doBefore('PutItem', 1, () => happen(send)));

    const outcome = await retryLate(organizationId, {}, disturbed);

    expect(outcome).toMatchObject({ kind: 'replay', response: { sendId: send.id } });
  });

  it('ends in one settled send when takeover and acceptance race', async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const { organizationId, send } = await claimFirst();

      const [retried] = await Promise.all([
        retryLate(organizationId),
        commitAcceptance(table, send, acceptance, []),
      ]);

      expect(['claimed', 'replay']).toContain(retried.kind);
      expect(await slotOf(send)).toMatchObject({ status: 'sent' });
      expect(await retryLate(organizationId)).toMatchObject({
        kind: 'replay',
        response: { sendId: send.id, status: 'sent', messageId: 'message-1' },
      });
    });

    await Promise.all(rounds);
  });

  it('waits for its lease when the address is suppressed by now: its own bounce may be the cause', async () => {
    const { organizationId, send } = await claimFirst();
    const suppressed: Partial<Send> = {
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
    };
    await retryLate(organizationId, suppressed);

    const during = await retryLate(organizationId, suppressed);
    await commitAcceptance(table, send, acceptance, []);
    const after = await retryLate(organizationId, suppressed);

    expect(during.kind).toBe('in_progress');
    expect(after).toMatchObject({
      kind: 'replay',
      response: { status: 'sent', messageId: 'message-1' },
    });
  });

  it('is answered `suppressed` when no event for its email came in time', async () => {
    const { organizationId, send } = await claimFirst();
    await retryLate(organizationId, { status: 'suppressed' });

    const outcome = await retryLate(organizationId, {
      status: 'suppressed',
      claimedAt: leaseEnd + leaseMs,
    });

    expect(outcome).toMatchObject({
      kind: 'claimed',
      send: { id: send.id, status: 'suppressed', attempt: 3 },
    });
  });
});

describe('a claim whose answer was lost', () => {
  it('counts as our own when the SDK repeats it', async () => {
    const disturbed = openDisturbedTable(loseFirstAnswer('PutItem'));
    const send = buildClaim();

    expect(await claimSend(disturbed, send)).toEqual({ kind: 'claimed', send, deliveries: [] });
  });

  it('counts as our own even if it is a takeover', async () => {
    const { organizationId, send } = await claimFirst();
    const disturbed = openDisturbedTable(loseFirstAnswer('PutItem'));

    const outcome = await retryLate(organizationId, {}, disturbed);

    expect(outcome).toMatchObject({ kind: 'claimed', send: { id: send.id, attempt: 2 } });
    expect(await Promise.all(winnersOf([outcome]).map(slotOf))).toEqual(winnersOf([outcome]));
  });

  it.each<[string, (send: Send) => Promise<unknown>, object]>([
    [
      'accepted',
      (send) => commitAcceptance(table, send, acceptance, []),
      { kind: 'replay', response: { messageId: 'message-1' } },
    ],
    ['proven', (send) => recordProof(table, send, leaseEnd), { kind: 'in_progress' }],
  ])(
    'no longer counts as ours when the first attempt is %s in between',
    async (_what, happen, verdict) => {
      const { organizationId, send } = await claimFirst();
      const disturbed = openDisturbedTable(loseFirstAnswer('PutItem', () => happen(send)));

      const outcome = await retryLate(organizationId, {}, disturbed);

      expect(outcome).toMatchObject(verdict);
    },
  );
});

describe('an expired slot', () => {
  const expired = claimNow + 60_000;
  const expiresAt = expired / 1000;

  it('is claimed under a new id, even if the item still exists', async () => {
    const { organizationId, send } = await claimFirst({ expiresAt });
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await retry(organizationId, { claimedAt: expired, fingerprint: 'request-2' });

    const [claimed] = winnersOf([outcome]);
    expect(claimed).toMatchObject({ attempt: 1, attempts: [], createdAt: expired });
    expect(claimed?.id).not.toBe(send.id);
    expect(claimed && (await slotOf(claimed))).toEqual(claimed);
  });

  it('is held until its last second', async () => {
    const { organizationId, send } = await claimFirst({ expiresAt });
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await retry(organizationId, { claimedAt: expired - 1 });

    expect(outcome.kind).toBe('replay');
  });

  it('is claimed by one of 8 concurrent requests', async () => {
    const { organizationId } = await claimFirst({ expiresAt });

    const outcomes = await timesEach(8, () => retry(organizationId, { claimedAt: expired }));

    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 7 });
  });

  it('no longer shows its send', async () => {
    const { send } = await claimFirst({ expiresAt });

    expect(await slotAt(send, expired - 1)).toEqual(send);
    expect(await slotAt(send, expired)).toBeUndefined();
    expect(await getSend(table, send.feedbackId, expired)).toBeUndefined();
    expect(await getTimeline(table, send.id, expired)).toBeUndefined();
  });

  /** A send with everything that it can own, and its successor's claim once it has expired. */
  async function preparePredecessor() {
    const { organizationId, send } = await claimFirst({ expiresAt });
    await putOrganization(table, buildOrganization({ id: organizationId }));
    const event = { type: 'delivered', ts: claimNow, providerMessageId: 'message-1' } as const;
    const deliveries = buildDeliveries(send.feedbackId).map((row) => ({ ...row, expiresAt }));
    await commitAcceptance(table, send, { ...acceptance, providerMessageId: send.id }, deliveries);
    const further = { ...acceptance, providerMessageId: `${send.id}-2` };
    await commitAcceptance(table, send, further, []);
    await upsertEvent(table, send.feedbackId, event, expiresAt);
    await storeHit(table, openOf(send.feedbackId), { at: claimNow, isMachine: false }, expiresAt);
    const claimSuccessor = async (): Promise<Send> => {
      const [successor] = winnersOf([await retry(organizationId, { claimedAt: expired })]);
      if (successor === undefined) throw new Error('not claimed');
      return successor;
    };
    return { predecessor: send, claimSuccessor };
  }

  async function claimSuccessor() {
    const { predecessor, claimSuccessor: claim } = await preparePredecessor();
    return { predecessor, successor: await claim() };
  }

  it("keeps the predecessor's events out of the new send's timeline", async () => {
    const { predecessor, successor } = await claimSuccessor();

    expect(await getTimeline(table, predecessor.id, expired - 1)).toBeUndefined();
    expect(await getTimeline(table, predecessor.id, expired)).toBeUndefined();
    expect(await getTimeline(table, successor.id, expired)).toEqual({
      send: successor,
      messages: [],
      events: [],
      deliveries: [],
    });
  });

  it("doesn't pass the predecessor's late events to the new send", async () => {
    const { predecessor, claimSuccessor: claim } = await preparePredecessor();
    const owner = organizationIdOf(predecessor.id);
    const find = async (now: number) => [
      (await getSendOfOrganization(table, predecessor.feedbackId, now)).send,
      await findSendByMessage(table, owner, predecessor.id, now),
      await findSendByMessage(table, owner, `${predecessor.id}-2`, now),
    ];

    const before = await find(expired - 1);
    await claim();
    const after = await find(expired);

    expect(before.map((send) => send?.id)).toEqual(Array(3).fill(predecessor.id));
    expect(after.map((send) => send?.id)).toEqual(Array(3).fill(undefined));
  });

  it("doesn't take the predecessor's writes for the new send's", async () => {
    const { predecessor, successor } = await claimSuccessor();
    const late = { providerMessageId: 'late', at: expired };

    const outcome = await commitAcceptance(table, predecessor, late, []);
    const failed = await recordFailure(table, predecessor, 'Throttled', expired);
    await recordProof(table, predecessor, expired);

    expect([outcome.kind, failed]).toEqual(['gone', 'lost']);
    expect(await slotOf(successor)).toEqual(successor);
  });

  it("counts only the new send's opens", async () => {
    const { successor } = await claimSuccessor();
    const hit = { at: expired + 1_000, isMachine: false };

    await storeHit(table, openOf(successor.feedbackId), hit, successor.expiresAt);

    const timeline = await getTimeline(table, successor.id, expired);
    expect(timeline?.events).toEqual([
      { type: 'opened', ts: expired + 1_000, hits: 1, machine: false },
    ]);
  });

  it('is claimed even if DynamoDB deletes it at that moment', async () => {
    const { organizationId, send } = await claimFirst({ expiresAt });
    const disturbed = openDisturbedTable(doBefore('PutItem', 0, () => deleteSend(send)));

    const outcome = await retry(organizationId, { claimedAt: expired }, disturbed);

    expect(outcome).toMatchObject({ kind: 'claimed', send: { attempt: 1 } });
  });
});

describe('a claim reported to webhooks', () => {
  /** A suppressed send of an organization with one endpoint, and the deliveries that report it. */
  function buildReported() {
    const organizationId = newOrganizationId();
    const subscriptions = { [newWebhookId(organizationId)]: { eventTypes: [] } };
    const deliveriesOf = (send: Send) => emailSuppressedDeliveries(send, subscriptions, claimNow);
    const build = () => asClaimed(buildClaim({ organizationId, status: 'suppressed' }));
    const claim = (send = build(), on = table) => claimSend(on, send, { subscriptions });
    return { build, claim, deliveriesOf };
  }
  const reportsOf = async ({ id }: Send) => (await getTimeline(table, id, claimNow))?.deliveries;

  it('is stored together with its deliveries', async () => {
    const { build, claim, deliveriesOf } = buildReported();
    const send = build();

    const outcome = await claim(send);

    expect(outcome).toEqual({ kind: 'claimed', send, deliveries: deliveriesOf(send) });
    expect(await slotOf(send)).toEqual(send);
    expect(deliveriesOf(send)).toHaveLength(1);
    expect(await reportsOf(send)).toEqual(deliveriesOf(send));
  });

  it('counts as our own when the answer is lost, and is reported once', async () => {
    const { build, claim, deliveriesOf } = buildReported();
    const send = build();
    const deaf = openDisturbedTable(loseFirstAnswer('TransactWriteItems'));

    const outcome = await claim(send, deaf);

    expect(outcome).toEqual({ kind: 'claimed', send, deliveries: deliveriesOf(send) });
    expect(await reportsOf(send)).toEqual(deliveriesOf(send));
  });

  it('reports nothing when the process dies before storing it', async () => {
    const { build, claim } = buildReported();
    const send = build();

    await expect(claim(send, dyingTable(1))).rejects.toThrow(Death);
    expect(await reportsOf(send)).toBeUndefined();
  });

  it('is made by one of ten concurrent requests, which alone reports it', async () => {
    const { claim, deliveriesOf } = buildReported();

    const outcomes = await timesEach(10, () => claim());

    const winners = winnersOf(outcomes);
    expect(countsOf(outcomes)).toEqual({ claimed: 1, replay: 9 });
    expect(await Promise.all(winners.map(reportsOf))).toEqual(winners.map(deliveriesOf));
  });

  it('is reported for its own attempt when it follows a failed one', async () => {
    const { build, claim, deliveriesOf } = buildReported();
    const first: SendUnderWay = { ...factsOf(build()), status: 'sending' };
    await claim(first);
    await recordFailure(table, first, 'MessageRejected', claimNow);

    const outcome = await claim();

    expect(outcome).toMatchObject({ kind: 'claimed', send: { id: first.id, attempt: 2 } });
    expect(await reportsOf(first)).toEqual(winnersOf([outcome]).flatMap(deliveriesOf));
  });
});
