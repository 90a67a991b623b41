import { describe, expect, it } from 'vitest';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import type { EventRecipient } from '#shared/events/event';
import type { Happened, ProviderFact } from '#shared/events/ses-event';
import { recordEvent } from '#shared/send-history/record-event';
import type { Send } from '#shared/sending/send';
import { getSuppressedContact } from '#shared/suppressions/suppression-list-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import { claimNow } from '../../support/claim-builder.ts';
import { otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import {
  acceptedAt,
  type EmailGiven,
  isWrite,
  openEmailWorld,
  recordedAt,
  typesOf,
} from '../../support/email-world.ts';
import { buildSend } from '../../support/send-builder.ts';

const happenedAt = claimNow + 1_000;

async function openWorld(given: EmailGiven = {}) {
  const world = await openEmailWorld(given);
  const { table, organization, recording } = world;
  const contactId = (email: string) => contactIdOf(organization.id, email);
  return {
    ...world,
    record: (fact: ProviderFact, at = recordedAt) =>
      recordEvent(fact, { ...recording, now: () => at }),
    contactOf: (email: string) => getContact(table, contactId(email)),
    suppressionsOf: async (email: string) =>
      (await getSuppressedContact(table, contactId(email))).suppressions,
    know: (email: string) => ensureContact(table, organization.id, email, claimNow),
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** An endpoint for all types. */
const all: readonly string[][] = [[]];

const occurrenceOf = ({ feedbackId }: Send) => ({
  at: acceptedAt,
  acceptedAt,
  providerMessageId: 'message-1',
  mailedTo: ['ann@example.com'],
  feedbackId,
});

const buildHappened = (send: Send, overrides: Partial<Happened> = {}): Happened => ({
  kind: 'happened',
  type: 'delivered',
  ...occurrenceOf(send),
  at: happenedAt,
  reason: undefined,
  recipients: [],
  suppression: undefined,
  ...overrides,
});

const buildBounce = (send: Send, ...suppressed: readonly string[]) =>
  buildHappened(send, {
    type: 'bounced',
    reason: 'Permanent/General',
    recipients: suppressed.map((email) => ({ email })),
    suppression: {
      reason: 'bounce',
      addresses: suppressed.map((email) => email.toLowerCase()),
      isPossible: false,
    },
  });

const buildComplaint = (send: Send, isPossible: boolean) =>
  buildHappened(send, {
    type: 'complained',
    recipients: [{ email: 'ann@example.com' }],
    suppression: { reason: 'complaint', addresses: ['ann@example.com'], isPossible },
  });

const buildAccepted = (send: Send): ProviderFact => ({ kind: 'accepted', ...occurrenceOf(send) });

const buildRejected = (send: Send): ProviderFact => ({
  kind: 'rejected',
  ...occurrenceOf(send),
  reason: 'Bad content',
});

describe('recordEvent', () => {
  it("records an event in its send's timeline for as long as that is kept", async () => {
    const { record, timeline, items, send } = await openWorld({ isSettled: true });

    const outcome = await record(buildBounce(send));

    const { reason } = buildBounce(send);
    const event = { type: 'bounced', ts: happenedAt, providerMessageId: 'message-1', reason };
    expect(outcome).toMatchObject({ kind: 'recorded', send: { id: send.id }, deliveries: [] });
    expect((await timeline()).events).toEqual([expect.objectContaining({ type: 'sent' }), event]);
    expect(items().find(({ type }) => type === 'bounced')).toHaveProperty(
      'expiresAt',
      send.expiresAt,
    );
  });

  it.each([
    ['the event has no feedback id', undefined],
    ['the feedback id leads nowhere', buildSend().feedbackId],
  ])('finds the send by its message when %s', async (_when, feedbackId) => {
    const { record, timeline, send } = await openWorld({ isSettled: true });

    const outcome = await record({ ...buildHappened(send), feedbackId });

    expect(outcome).toMatchObject({ kind: 'recorded', send: { id: send.id } });
    expect(typesOf((await timeline()).events)).toEqual(['sent', 'delivered']);
  });

  it('reads the send once, eventually consistent, and no index, when the event has a feedback id', async () => {
    const { record, calls, table, send } = await openWorld({ isSettled: true });

    await record(buildHappened(send));

    const reads = calls.filter((call) => !isWrite(call));
    const request = { [table.name]: expect.objectContaining({ ConsistentRead: false }) };
    expect(reads).toMatchObject([{ operation: 'BatchGetItem', input: { RequestItems: request } }]);
  });

  it("ignores events that aren't recorded", async () => {
    const { record, calls } = await openWorld();

    const outcome = await record({ kind: 'ignored', eventType: 'Subscription' });

    expect(outcome).toEqual({ kind: 'ignored', reason: 'Subscription', deliveries: [] });
    expect(calls).toEqual([]);
  });
});

describe('an event of an unknown send', () => {
  it('with an unknown message is ignored, and suppresses nobody', async () => {
    const { record, items, know, send } = await openWorld({ isSettled: true });
    await know('ann@example.com');
    const before = items();
    const unknown = { feedbackId: undefined, providerMessageId: 'message-of-another' };

    const outcome = await record({ ...buildBounce(send, 'ann@example.com'), ...unknown });

    expect(outcome).toEqual({ kind: 'ignored', reason: 'not one of our sends', deliveries: [] });
    expect(items()).toEqual(before);
  });

  it("that is gone is retried when an address couldn't be suppressed", async () => {
    const { record, know, removeSend, behaviour, send } = await openWorld({ isSettled: true });
    await know('ann@example.com');
    await removeSend();
    behaviour.fails = isWrite;

    await expect(record(buildBounce(send, 'ann@example.com'))).rejects.toThrow('throttled');
  });

  it.each([
    ['Send', buildAccepted],
    ['Reject', buildRejected],
    ['Delivery', buildHappened],
  ])('that is gone is ignored when it is %s', async (_type, buildFact) => {
    const { record, items, removeSend, send } = await openWorld({ isSettled: true });
    await removeSend();
    const before = items();

    const outcome = await record(buildFact(send));

    expect(outcome).toEqual({ kind: 'ignored', reason: 'not one of our sends', deliveries: [] });
    expect(items()).toEqual(before);
  });
});

describe('a suppressing event', () => {
  it("stores each server's own words as the cause, and the address as it was sent to", async () => {
    const { record, suppressionsOf, send } = await openWorld({ isSettled: true });
    const recipients = [{ email: 'Ann@example.com', diagnostic: 'smtp; 550 5.1.1 no such user' }];

    await record({ ...buildBounce(send, 'ann@example.com'), recipients });

    expect(await suppressionsOf('ann@example.com')).toMatchObject([
      {
        ...{ reason: 'bounce', at: happenedAt, providerMessageId: 'message-1' },
        ...{ diagnostic: 'smtp; 550 5.1.1 no such user', address: 'Ann@example.com' },
      },
    ]);
  });

  it("suppresses each address in the send's organization, for SES's reason if no server gave one", async () => {
    const { record, suppressionsOf, timeline, send } = await openWorld({ isSettled: true });

    await record(buildBounce(send, 'ann@example.com', 'bob@example.com'));

    const cause = { reason: 'bounce', diagnostic: 'Permanent/General' };
    expect(await suppressionsOf('ann@example.com')).toMatchObject([cause]);
    expect(await suppressionsOf('bob@example.com')).toMatchObject([cause]);
    expect(typesOf((await timeline()).events)).toEqual(['sent', 'bounced']);
  });

  it('marks a complaint as uncertain if it may be about another recipient, but no bounce', async () => {
    const { record, suppressionsOf, send } = await openWorld({ isSettled: true });

    await record(buildBounce(send, 'ann@example.com'));
    await record(buildComplaint(send, true));

    const [bounce, complaint] = await suppressionsOf('ann@example.com');
    expect(bounce).not.toHaveProperty('possible');
    expect(complaint).toMatchObject({ possible: true, providerMessageId: 'message-1' });
  });

  it('suppresses for a complaint under that name', async () => {
    const { record, suppressionsOf, timeline, send } = await openWorld({ isSettled: true });

    await record(buildComplaint(send, false));

    const suppressed = await suppressionsOf('ann@example.com');
    expect(suppressed).toMatchObject([{ reason: 'complaint', at: happenedAt }]);
    expect(suppressed[0]).not.toHaveProperty('possible');
    expect(typesOf((await timeline()).events)).toEqual(['sent', 'complained']);
  });

  it("isn't recorded when an address couldn't be suppressed, so that it is retried", async () => {
    const { record, items, behaviour, send } = await openWorld({ isSettled: true });
    const before = items();
    behaviour.fails = isWrite;

    await expect(record(buildBounce(send, 'ann@example.com'))).rejects.toThrow('throttled');

    expect(items()).toEqual(before);
  });

  it.each(['sending', 'sent', 'failed', 'suppressed'] as const)(
    'is recorded for a send that is `%s`',
    async (status) => {
      const { record, suppressionsOf, timeline, send } = await openWorld({ status });

      await record(buildBounce(send, 'ann@example.com'));

      expect(await suppressionsOf('ann@example.com')).toMatchObject([{ reason: 'bounce' }]);
      const stored = await timeline();
      expect(stored.send).toMatchObject({ status: 'sent', providerMessageId: 'message-1' });
      expect(typesOf(stored.events)).toEqual(['sent', 'bounced']);
    },
  );
});

describe('the acceptance of a send', () => {
  it('by Send settles it and stores the contact, and has no other effect', async () => {
    const { record, timeline, contactOf, items, send } = await openWorld();
    const before = items().length;

    await record(buildAccepted(send));

    const stored = await timeline();
    expect(stored.send).toMatchObject({ status: 'sent', sentAt: acceptedAt });
    expect(typesOf(stored.events)).toEqual(['sent']);
    expect(await contactOf('ann@example.com')).toMatchObject({ createdAt: send.claimedAt });
    expect(items()).toHaveLength(before + 1);
  });

  it('costs one eventually consistent read by Send when the request has committed it', async () => {
    const { record, calls, send } = await openWorld({ isSettled: true });

    const outcome = await record(buildAccepted(send));

    expect(outcome).toMatchObject({ kind: 'recorded', send: { id: send.id }, deliveries: [] });
    expect(calls).toMatchObject([{ operation: 'GetItem', input: { ConsistentRead: false } }]);
  });

  /** What came between the claim and its Send event, or comes while that is recorded. */
  const acceptances: readonly (readonly [string, boolean, (world: World) => unknown])[] = [
    [
      'that a stale read misses',
      false,
      async ({ commit, behaviour }) => {
        await commit();
        behaviour.isStale = true;
      },
    ],
    ['that is a further one', true, ({ commit }) => commit('message-0')],
    [
      'that came too late for the send',
      false,
      ({ behaviour, removeSend }) => {
        behaviour.beforeNextWrite = removeSend;
      },
    ],
  ];

  it.each(acceptances)(
    '%s creates no contact when the organization knew everybody, and is news to webhooks: %s',
    async (_which, isNews, prepare) => {
      const world = await openWorld({ webhooks: all });
      await prepare(world);

      const { deliveries } = await world.record(buildAccepted(world.send));

      expect(await world.contactOf('ann@example.com')).toBeUndefined();
      expect(typesOf(deliveries)).toEqual(isNews ? ['email.sent'] : []);
    },
  );

  it.each(acceptances.slice(0, 2))(
    '%s is checked for contacts that a dead process left unstored',
    async (_which, _isNews, prepare) => {
      const world = await openWorld({
        hasNewRecipients: true,
        cc: ['Bob@example.com'],
        bcc: ['cy@example.com', 'bad@example.com'],
        suppressedRecipients: [{ email: 'bad@example.com', reason: 'bounce' }],
      });
      await prepare(world);

      await world.record(buildAccepted(world.send));

      const { claimedAt: createdAt } = world.send;
      for (const mailed of ['ann@example.com', 'bob@example.com', 'cy@example.com']) {
        expect(await world.contactOf(mailed)).toMatchObject({ createdAt });
      }
      expect(await world.contactOf('bad@example.com')).toBeUndefined();
    },
  );

  it('creates no contact for an erased address', async () => {
    const { record, items, send } = await openWorld({ toEmail: 'erased' });
    const before = items().length;

    await record(buildAccepted(send));

    expect(items()).toHaveLength(before);
  });

  it('creates the contact of an earlier attempt to somebody else', async () => {
    const { record, contactOf, send } = await openWorld({
      ...{ toEmail: 'bob@example.com', hasNewRecipients: true, isSettled: true },
      claimedAt: acceptedAt + 1_000,
    });

    await record(buildAccepted(send));

    expect(await contactOf('bob@example.com')).toMatchObject({ createdAt: acceptedAt });
    expect(await contactOf('ann@example.com')).toMatchObject({ createdAt: acceptedAt });
  });
});

describe("an event under another digest key for contacts than its organization's", () => {
  async function prepare() {
    useDigestKey('a'.repeat(64));
    const world = await openWorld({ hasNewRecipients: true, isSettled: true });
    useDigestKey(otherDigestKey);
    return world;
  }

  const buildBounceOfAnn = (send: Send) => buildBounce(send, 'ann@example.com');

  it.each([
    ['is retried, and suppresses nobody under another id', buildBounceOfAnn],
    ['is retried when a contact seems to be missing, and creates no second one', buildAccepted],
  ])('%s', async (_what, buildFact) => {
    const { record, items, send } = await prepare();
    const before = items();

    const run = record(buildFact(send));

    await expect(run).rejects.toMatchObject({ code: 'contact_digest_mismatch' });
    expect(items()).toEqual(before);
  });
});

describe('the webhook messages of an event', () => {
  it('are its own and one for each address that it suppresses', async () => {
    const one = await openWorld({ webhooks: all, isSettled: true });
    const other = await openWorld({ webhooks: all, isSettled: true });
    await other.record(buildBounce(other.send, 'bob@example.com'));

    const first = await one.record(buildBounce(one.send, 'ann@example.com', 'bob@example.com'));
    const second = await other.record(
      buildBounce(other.send, 'ann@example.com', 'bob@example.com'),
    );

    expect(typesOf(first.deliveries)).toEqual([
      'suppression.added',
      'suppression.added',
      'email.bounced',
    ]);
    expect(typesOf(second.deliveries)).toEqual(['suppression.added', 'email.bounced']);
  });

  it('report a failed send when SES rejects its message, once', async () => {
    const { record, send } = await openWorld({ webhooks: all, isSettled: true });

    const first = await record(buildRejected(send));
    const again = await record(buildRejected(send));

    expect(typesOf(first.deliveries)).toEqual(['email.failed']);
    expect(again.deliveries).toEqual([]);
  });

  it('are one for repeated delays of the same recipients, whatever the reason each time', async () => {
    const { record, timeline, send } = await openWorld({
      webhooks: [['email.delayed']],
      isSettled: true,
    });
    const delayOf = (reason: string, ...emails: readonly string[]) =>
      buildHappened(send, {
        type: 'delayed',
        reason,
        recipients: emails.map((email) => ({ email })),
      });

    const outcomes = [
      await record(delayOf('MailboxFull', 'ann@example.com')),
      await record(delayOf('SpamDetected', 'Ann@example.com')),
      await record(delayOf('MailboxFull', 'ann@example.com', 'bob@example.com')),
    ];

    expect(outcomes.map(({ deliveries }) => deliveries.length)).toEqual([1, 0, 1]);
    expect((await timeline()).deliveries).toHaveLength(2);
  });

  it('are both when one report proves the acceptance, too', async () => {
    const { record, send } = await openWorld({ webhooks: all });

    const { deliveries } = await record(buildHappened(send));

    expect(typesOf(deliveries)).toEqual(['email.sent', 'email.delivered']);
  });
});

describe("SES rejecting a send's message", () => {
  it.each(['sending', 'failed'] as const)(
    'when the send is `%s` first records its acceptance, then fails it',
    async (status) => {
      const { record, timeline, contactOf, send } = await openWorld({ status });

      const outcome = await record(buildRejected(send));

      const stored = await timeline();
      expect(outcome).toMatchObject({ kind: 'recorded', send: { id: send.id } });
      expect(stored.messages).toMatchObject([{ providerMessageId: 'message-1' }]);
      expect(stored.send).toMatchObject({
        status: 'failed',
        attempts: [{ reason: 'Bad content' }],
      });
      expect(await contactOf('ann@example.com')).toBeDefined();
    },
  );
});

describe("a bounce's recipients", () => {
  const recipientsAfter = async (given: EmailGiven, recipients: readonly EventRecipient[]) => {
    const { record, timeline, send } = await openWorld({ ...given, isSettled: true });
    await record(buildHappened(send, { type: 'bounced', recipients }));
    return (await timeline()).events.find(({ type }) => type === 'bounced')?.recipients;
  };

  it("are stored with their servers' replies", async () => {
    const bounced = [
      { email: 'bob@example.com', diagnostic: 'smtp; 552 mailbox full' },
      { email: 'ann@example.com' },
    ];

    const kept = await recipientsAfter({}, bounced);

    expect(kept).toEqual([{ email: 'ann@example.com' }, bounced[0]]);
  });

  it('may be people to whom the email was forwarded', async () => {
    const kept = await recipientsAfter({}, [{ email: 'ann@other.example' }]);

    expect(kept).toEqual([{ email: 'ann@other.example' }]);
  });

  it("aren't named when they were erased from the send", async () => {
    const erased = { toEmail: 'erased', cc: ['Bob@example.com'] };

    const kept = await recipientsAfter(erased, [
      { email: 'ann@example.com', diagnostic: '550 no Ann@example.com here' },
      { email: 'bob@example.com' },
    ]);

    expect(kept).toEqual([
      { email: 'bob@example.com' },
      { email: 'erased', diagnostic: '550 no erased here' },
    ]);
  });
});

describe('webhooks', () => {
  it('that subscribe to an event get a delivery, which expires with the send', async () => {
    const { record, timeline, organization, send } = await openWorld({
      webhooks: [[], ['email.complained']],
      isSettled: true,
    });

    const outcome = await record(buildHappened(send));

    const [subscribed] = Object.keys(organization.webhooks);
    const delivery = expect.objectContaining({
      ...{ webhookId: subscribed, type: 'email.delivered', expiresAt: send.expiresAt },
      body: expect.stringContaining(send.id),
    });
    expect((await timeline()).deliveries).toEqual([delivery]);
    expect(outcome).toMatchObject({ kind: 'recorded', deliveries: [delivery] });
  });

  it("get an event again when its delivery couldn't be stored, as the event is retried", async () => {
    const { record, timeline, behaviour, send } = await openWorld({
      webhooks: all,
      isSettled: true,
    });
    behaviour.fails = ({ operation }) => operation === 'PutItem';

    await expect(record(buildHappened(send))).rejects.toThrow('throttled');

    expect(typesOf((await timeline()).events)).toEqual(['sent']);
  });

  it('get one delivery however often the event is reported, and are woken for it once', async () => {
    const { record, timeline, send } = await openWorld({ webhooks: all, isSettled: true });

    const first = await record(buildHappened(send));
    const again = await record(buildHappened(send), recordedAt + 9_000);

    expect([first.deliveries.length, again.deliveries.length]).toEqual([1, 0]);
    expect((await timeline()).deliveries).toHaveLength(1);
  });

  it("get each recipient's bounce as a message of its own, once", async () => {
    const { record, timeline, send } = await openWorld({
      webhooks: [['email.bounced']],
      isSettled: true,
    });

    const outcomes = [
      await record(buildBounce(send, 'ann@example.com')),
      await record(buildBounce(send, 'bob@example.com')),
      await record(buildBounce(send, 'Ann@example.com')),
    ];

    expect(outcomes.map(({ deliveries }) => deliveries.length)).toEqual([1, 1, 0]);
    const rows = (await timeline()).deliveries ?? [];
    expect(new Set(rows.map(({ messageId }) => messageId)).size).toBe(2);
    expect(JSON.parse(outcomes[0]?.deliveries[0]?.body ?? '')).toMatchObject({
      type: 'email.bounced',
      data: { to: 'ann@example.com', recipients: [{ email: 'ann@example.com' }] },
    });
  });

  it('get a bounce once, even when the person is erased in between', async () => {
    const { record, timeline, eraseAnn, send } = await openWorld({
      webhooks: [['email.bounced']],
      isSettled: true,
    });

    await record(buildBounce(send, 'ann@example.com'));
    await eraseAnn();
    await record(buildBounce(send, 'ann@example.com'));

    expect((await timeline()).deliveries).toHaveLength(1);
  });
});
