import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { claimSend } from '#shared/sending/claim-store';
import type { Send } from '#shared/sending/send';
import {
  commitAcceptance,
  commitFailure,
  commitSuppression,
  recordLateAcceptance,
} from '#shared/sending/settlement-store';
import { findFeedbackId, readTimeline } from '#shared/sending/timeline-store';
import { idempotencyKey } from '#shared/table/keys';
import { newSendId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildClaim, claimNow } from '../../support/claim-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

let messages = 0;
const buildAcceptance = () => {
  messages += 1;
  return { providerMessageId: `settlement-${process.pid}-${messages}`, at: claimNow + 500 };
};

/** A send that holds its idempotency key and is `sending`. */
async function claimNew(overrides: Partial<Send> = {}): Promise<Send> {
  const { send } = buildClaim();
  const claim = buildClaim({ send: { ...send, ...overrides } });
  await claimSend(table, claim);
  return claim.send;
}

/** What a retry under the key of the send is told. */
const retryUnderKeyOf = (send: Send) =>
  claimSend(
    table,
    buildClaim({
      send: buildSend({ id: newSendId(organizationIdOf(send.id)), idempotencyKey: 'key-1' }),
    }),
  );

const keyOf = (send: Send) => idempotencyKey(organizationIdOf(send.id), 'key-1');

const forgetKeyOf = (send: Send) =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key: keyOf(send) }));

const readKeyOf = async (send: Send) => {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: keyOf(send), ConsistentRead: true }),
  );
  return Item;
};

describe('commitAcceptance', () => {
  it('stores status, message and event, and completes the key', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();
    const { providerMessageId, at } = acceptance;

    const settlement = await commitAcceptance(table, send, acceptance, []);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toEqual({
      send: { ...send, status: 'sent', providerMessageId, updatedAt: at },
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

  it('makes the send findable by its message', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();

    await commitAcceptance(table, send, acceptance, []);

    expect(await findFeedbackId(table, acceptance.providerMessageId)).toBe(send.feedbackId);
  });

  it('settles a send without a key', async () => {
    const send = buildSend();
    await claimSend(table, buildClaim({ send }));

    expect(await commitAcceptance(table, send, buildAcceptance(), [])).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toMatchObject({ send: { status: 'sent' } });
  });

  it('stores the webhook deliveries with it', async () => {
    const send = await claimNew();
    const deliveries = buildDeliveries(send.feedbackId);

    await commitAcceptance(table, send, buildAcceptance(), deliveries);

    expect(await readTimeline(table, send.feedbackId)).toMatchObject({ deliveries });
  });

  it('stores no webhook delivery when it is lost', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);

    await commitAcceptance(table, send, buildAcceptance(), buildDeliveries(send.feedbackId));

    expect(await readTimeline(table, send.feedbackId)).toMatchObject({ deliveries: [] });
  });

  it('is lost when the send is settled already, and changes nothing', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);
    const before = await readTimeline(table, send.feedbackId);

    const settlement = await commitAcceptance(table, send, buildAcceptance(), []);

    expect(settlement).toBe('lost');
    expect(await readTimeline(table, send.feedbackId)).toEqual(before);
  });

  it('is settled by one of many at once', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();

    const settlements = await Promise.all(
      Array.from({ length: 20 }, () => commitAcceptance(table, send, acceptance, [])),
    );

    const timeline = await readTimeline(table, send.feedbackId);
    expect(settlements.filter((settlement) => settlement === 'settled')).toHaveLength(1);
    expect(timeline?.messages).toHaveLength(1);
    expect(timeline?.events).toHaveLength(1);
  });

  it('is lost for a send that is not there, and leaves nothing behind', async () => {
    const send = buildSend({ idempotencyKey: 'key-1' });
    const acceptance = buildAcceptance();

    expect(await commitAcceptance(table, send, acceptance, [])).toBe('lost');
    expect(await findFeedbackId(table, acceptance.providerMessageId)).toBeUndefined();
  });

  it('settles a send whose key is forgotten, and does not bring the key back', async () => {
    const send = await claimNew();
    await forgetKeyOf(send);

    const settlement = await commitAcceptance(table, send, buildAcceptance(), []);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toMatchObject({ send: { status: 'sent' } });
    expect(await readKeyOf(send)).toBeUndefined();
  });

  it('leaves a key alone that is by now of another send', async () => {
    const send = await claimNew();
    await forgetKeyOf(send);
    await retryUnderKeyOf(send);
    const keyOfOther = await readKeyOf(send);

    const settlement = await commitAcceptance(table, send, buildAcceptance(), []);

    expect(settlement).toBe('settled');
    expect(await readKeyOf(send)).toEqual(keyOfOther);
  });

  it('names the suppressed recipients in the answer to replay', async () => {
    const suppressedRecipients = [{ email: 'bob@example.com', reason: 'bounce' }];
    const send = await claimNew({ suppressedRecipients });

    await commitAcceptance(table, send, buildAcceptance(), []);

    expect(await retryUnderKeyOf(send)).toMatchObject({ response: { suppressedRecipients } });
  });
});

describe('commitSuppression', () => {
  it('settles the send and completes its key, without message or event', async () => {
    const send = await claimNew({
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
    });

    const settlement = await commitSuppression(table, send, claimNow + 500);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toEqual({
      send: { ...send, status: 'suppressed', updatedAt: claimNow + 500 },
      messages: [],
      events: [],
      deliveries: [],
    });
    expect(await retryUnderKeyOf(send)).toMatchObject({
      kind: 'replay',
      response: { status: 'suppressed' },
    });
  });

  it('is lost when the send went out meanwhile', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);

    expect(await commitSuppression(table, send, claimNow)).toBe('lost');
    expect(await retryUnderKeyOf(send)).toMatchObject({ response: { status: 'sent' } });
  });
});

describe('commitFailure', () => {
  it('stores the reason and frees the key', async () => {
    const send = await claimNew();

    const settlement = await commitFailure(table, send, 'MessageRejected', claimNow + 500);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toEqual({
      send: {
        ...send,
        status: 'failed',
        failureReason: 'MessageRejected',
        updatedAt: claimNow + 500,
      },
      messages: [],
      events: [],
      deliveries: [],
    });
    expect(await readKeyOf(send)).toBeUndefined();
  });

  it('fails a send without a key', async () => {
    const send = buildSend();
    await claimSend(table, buildClaim({ send }));

    expect(await commitFailure(table, send, 'MessageRejected', claimNow)).toBe('settled');
  });

  it('is lost when the send went out meanwhile, and the key still replays', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);

    expect(await commitFailure(table, send, 'Throttled', claimNow)).toBe('lost');
    expect(await retryUnderKeyOf(send)).toMatchObject({
      kind: 'replay',
      response: { status: 'sent' },
    });
  });

  it('fails a send that SES took and then rejected, and frees its key as for any other refusal', async () => {
    const send = await claimNew();
    await commitAcceptance(table, send, buildAcceptance(), []);
    const sent: Send = { ...send, status: 'sent' };

    const settlement = await commitFailure(table, sent, 'Bad content', claimNow);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toMatchObject({
      send: { status: 'failed', failureReason: 'Bad content' },
    });
    expect((await retryUnderKeyOf(send)).kind).toBe('claimed');
  });

  it('does not free a key that is by now of another send', async () => {
    const send = await claimNew();
    await forgetKeyOf(send);
    await retryUnderKeyOf(send);
    const keyOfOther = await readKeyOf(send);

    const settlement = await commitFailure(table, send, 'MessageRejected', claimNow);

    expect(settlement).toBe('settled');
    expect(await readKeyOf(send)).toEqual(keyOfOther);
  });

  it('and an acceptance at once settle the send one way, and its key the same way', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const send = await claimNew();

      const settlements = await Promise.all([
        commitAcceptance(table, send, buildAcceptance(), []),
        commitFailure(table, send, 'Bad content', claimNow),
      ]);

      const timeline = await readTimeline(table, send.feedbackId);
      const isSent = settlements[0] === 'settled';
      expect(settlements).toEqual(isSent ? ['settled', 'lost'] : ['refused', 'settled']);
      expect(timeline?.send.status).toBe(isSent ? 'sent' : 'failed');
      expect(timeline?.events).toHaveLength(isSent ? 1 : 0);
      expect((await retryUnderKeyOf(send)).kind).toBe(isSent ? 'replay' : 'claimed');
    });

    await Promise.all(rounds);
  });
});

describe('recordLateAcceptance', () => {
  it('adds message and event to a settled send and leaves its status', async () => {
    const send = await claimNew();
    await commitFailure(table, send, 'Throttled', claimNow);
    const acceptance = buildAcceptance();

    const deliveries = buildDeliveries(send.feedbackId);

    const settlement = await recordLateAcceptance(table, send, acceptance, deliveries);

    expect(settlement).toBe('settled');
    expect(await readTimeline(table, send.feedbackId)).toMatchObject({
      send: { status: 'failed' },
      deliveries,
      messages: [{ providerMessageId: acceptance.providerMessageId }],
      events: [{ type: 'sent', providerMessageId: acceptance.providerMessageId }],
    });
    expect(await findFeedbackId(table, acceptance.providerMessageId)).toBe(send.feedbackId);
  });

  it('changes nothing when the message is recorded already', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();
    await commitAcceptance(table, send, acceptance, []);
    const before = await readTimeline(table, send.feedbackId);

    const again = { ...acceptance, at: acceptance.at + 9_000 };
    const deliveries = buildDeliveries(send.feedbackId);

    expect(await recordLateAcceptance(table, send, again, deliveries)).toBe('lost');
    expect(await readTimeline(table, send.feedbackId)).toEqual(before);
  });

  it('shows a second message of the same send', async () => {
    const send = await claimNew();
    const [first, second] = [buildAcceptance(), buildAcceptance()];
    await commitAcceptance(table, send, first, []);

    await recordLateAcceptance(table, send, second, []);

    const timeline = await readTimeline(table, send.feedbackId);
    expect(timeline?.messages.map(({ providerMessageId }) => providerMessageId)).toEqual([
      first.providerMessageId,
      second.providerMessageId,
    ]);
    expect(timeline?.send.providerMessageId).toBe(first.providerMessageId);
  });

  it('leaves one message and one event when request and Send event both tell of it', async () => {
    const send = await claimNew();
    const acceptance = buildAcceptance();

    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const settlement = await commitAcceptance(table, send, acceptance, []);
        if (settlement === 'lost') await recordLateAcceptance(table, send, acceptance, []);
      }),
    );

    const { providerMessageId } = acceptance;
    expect(await readTimeline(table, send.feedbackId)).toMatchObject({
      send: { status: 'sent', providerMessageId },
      messages: [{ providerMessageId }],
      events: [{ type: 'sent', providerMessageId }],
    });
  });
});
