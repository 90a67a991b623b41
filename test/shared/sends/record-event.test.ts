import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { EventRecipient } from '#shared/events/event';
import type { ProviderFact } from '#shared/events/ses-event';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import type { Send } from '#shared/sending/send';
import type { AcceptanceOutcome } from '#shared/sending/settlement-store';
import { recordEvent } from '#shared/sends/record-event';
import { newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import {
  fakeEventRecording,
  type IntakeEffect,
  type IntakeOverrides,
  intakeNow,
} from '../../support/event-recording-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const acceptedAt = intakeNow - 2_000;
const acceptance = { providerMessageId: 'message-1', at: acceptedAt };

const buildSent = (overrides: Partial<Send> = {}) =>
  buildSend({
    status: 'sent',
    providerMessageId: 'message-1',
    sentAt: acceptedAt,
    ...overrides,
  });

const fake = (
  send: Send,
  overrides: IntakeOverrides = {},
  subscriptions: WebhookSubscriptions = {},
) => fakeEventRecording({ send, subscriptions }, overrides);

const namesOf = (effects: readonly IntakeEffect[]) => effects.map(([name]) => name);

const argsOf = (effects: readonly IntakeEffect[], wanted: string) =>
  effects.filter(([name]) => name === wanted).map(([, ...args]) => args);

const failing = () => Promise.reject(new Error('throttled'));

type Happened = Extract<ProviderFact, { kind: 'happened' }>;

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
  at: intakeNow - 1_000,
  reason: undefined,
  recipients: [],
  suppression: undefined,
  ...overrides,
});

const buildBounce = (send: Send, suppressed: readonly string[]) =>
  buildHappened(send, {
    type: 'bounced',
    reason: 'Permanent/General',
    recipients: suppressed.map((email) => ({ email })),
    suppression: { reason: 'bounce', addresses: suppressed, isPossible: false },
  });

const buildAccepted = (send: Send) => ({ kind: 'accepted', ...occurrenceOf(send) }) as const;

const buildRefused = (send: Send): ProviderFact => ({
  kind: 'refused',
  ...occurrenceOf(send),
  reason: 'Bad content',
});

const storedRows = z.array(z.object({ messageId: z.string(), body: z.string() }));

/** With what reports it. */
const reporting = { rowsOf: expect.any(Function) };

/** For a bounce of which SES reports only the kind. */
const causeFor = (address: string) =>
  expect.objectContaining({ diagnostic: 'Permanent/General', address });

describe('recordEvent', () => {
  it("records an event in its send's timeline for as long as that is kept", async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);

    const outcome = await recordEvent(buildHappened(send), intake);

    const event = { type: 'delivered', ts: intakeNow - 1_000, providerMessageId: 'message-1' };
    expect(outcome).toEqual({ kind: 'recorded', send, deliveries: [] });
    expect(argsOf(effects, 'record')).toEqual([[send, event]]);
  });

  it("keeps a bounce's reason", async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);

    await recordEvent(buildBounce(send, []), intake);

    expect(argsOf(effects, 'record')).toMatchObject([
      [{ id: send.id }, { reason: 'Permanent/General' }],
    ]);
  });

  it('stores the bounced message with the suppression, and marks a complaint as uncertain', async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);
    const complaint = {
      type: 'complained',
      recipients: [{ email: 'ann@example.com' }],
      suppression: { reason: 'complaint', addresses: ['ann@example.com'], isPossible: true },
    } as const;

    await recordEvent(buildBounce(send, ['ann@example.com']), intake);
    await recordEvent(buildHappened(send, complaint), intake);

    expect(argsOf(effects, 'suppress').map((args) => args[4])).toEqual([
      expect.not.objectContaining({ possible: true }),
      expect.objectContaining({ possible: true, providerMessageId: 'message-1' }),
    ]);
  });

  it('finds the send by its message when the event has no feedback id', async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);

    await recordEvent(buildHappened(send, { feedbackId: undefined }), intake);

    expect(argsOf(effects, 'record')).toMatchObject([[{ id: send.id }, {}]]);
  });

  it("doesn't look up the message when the event has a feedback id", async () => {
    const send = buildSent();
    const { intake } = fake(send, {
      names: { byMessageOf: unexpected('names.byMessageOf') },
    });

    const outcome = await recordEvent(buildHappened(send), intake);

    expect(outcome.kind).toBe('recorded');
  });

  it('finds the send by its message when the feedback id leads nowhere', async () => {
    const send = buildSent();
    const { intake } = fake(send);
    const fact = { ...buildHappened(send), feedbackId: buildSend().feedbackId };

    const outcome = await recordEvent(fact, intake);

    expect(outcome).toMatchObject({ kind: 'recorded', send });
  });

  it('reads the send once, strongly consistent', async () => {
    const send = buildSent();
    const reads: unknown[] = [];
    const { intake } = fake(send);
    const { getWithOrganization } = intake.timelines;

    await recordEvent(buildHappened(send), {
      ...intake,
      timelines: {
        ...intake.timelines,
        getWithOrganization: (...given) => {
          reads.push(given[2]);
          return getWithOrganization(...given);
        },
      },
    });

    expect(reads).toEqual([{ isConsistent: false }]);
  });

  it("ignores events that aren't recorded", async () => {
    const { intake, effects } = fake(buildSend());

    const outcome = await recordEvent({ kind: 'ignored', eventType: 'Subscription' }, intake);

    expect(outcome).toEqual({ kind: 'ignored', reason: 'Subscription', deliveries: [] });
    expect(effects).toEqual([]);
  });
});

describe('an event of an unknown send', () => {
  it('with an unknown message is ignored, and suppresses nobody', async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);
    const unknown = { feedbackId: undefined, providerMessageId: 'message-of-another' };

    const outcome = await recordEvent(
      { ...buildBounce(send, ['ann@example.com']), ...unknown },
      intake,
    );

    expect(outcome).toEqual({ kind: 'ignored', reason: 'not one of our sends', deliveries: [] });
    expect(effects).toEqual([]);
  });

  it("of an expired one is retried when an address couldn't be suppressed", async () => {
    const [send, forgotten] = [buildSent(), buildSent()];
    const { intake } = fake(send, { suppressions: { suppressKnown: failing } });
    const fact = { ...buildBounce(forgotten, ['ann@example.com']), providerMessageId: 'message-9' };

    await expect(recordEvent(fact, intake)).rejects.toThrow('throttled');
  });

  it.each([
    ['Send', buildAccepted],
    ['Reject', buildRefused],
    ['Delivery', buildHappened],
  ])('is ignored when it is %s', async (_type, buildFact) => {
    const [send, forgotten] = [buildSent(), buildSent()];
    const { intake, effects } = fake(send);
    const fact = { ...buildFact(forgotten), providerMessageId: 'message-9' };

    const outcome = await recordEvent(fact, intake);

    expect(outcome).toEqual({ kind: 'ignored', reason: 'not one of our sends', deliveries: [] });
    expect(effects).toEqual([]);
  });
});

describe('a suppressing event', () => {
  it("stores each server's own words as the cause, and the address as it was sent to", async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);
    const recipients = [{ email: 'Ann@example.com', diagnostic: 'smtp; 550 5.1.1 no such user' }];

    await recordEvent({ ...buildBounce(send, ['ann@example.com']), recipients }, intake);

    expect(argsOf(effects, 'suppress')).toMatchObject([
      [
        organizationIdOf(send.id),
        'ann@example.com',
        'bounce',
        intakeNow,
        { diagnostic: 'smtp; 550 5.1.1 no such user', address: 'Ann@example.com' },
        reporting,
      ],
    ]);
  });

  it("suppresses each address in the send's organization, and is recorded last", async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);

    await recordEvent(buildBounce(send, ['ann@example.com', 'bob@example.com']), intake);

    const organizationId = organizationIdOf(send.id);
    expect(effects).toEqual([
      [
        'suppress',
        organizationId,
        'ann@example.com',
        'bounce',
        intakeNow,
        causeFor('ann@example.com'),
        reporting,
      ],
      [
        'suppress',
        organizationId,
        'bob@example.com',
        'bounce',
        intakeNow,
        causeFor('bob@example.com'),
        reporting,
      ],
      ['commitAcceptance', send, acceptance, []],
      ['store', []],
      ['record', expect.objectContaining({ id: send.id }), expect.anything()],
    ]);
  });

  it("isn't recorded when an address couldn't be suppressed, so that it is retried", async () => {
    const send = buildSent();
    const { intake, effects } = fake(send, { suppressions: { suppress: failing } });

    const run = recordEvent(buildBounce(send, ['ann@example.com']), intake);

    await expect(run).rejects.toThrow('throttled');
    expect(namesOf(effects)).toEqual(['suppress']);
  });

  it('suppresses for a complaint under that name', async () => {
    const send = buildSent();
    const { intake, effects } = fake(send);
    const complaint = buildHappened(send, {
      type: 'complained',
      suppression: { reason: 'complaint', addresses: ['ann@example.com'], isPossible: false },
    });

    await recordEvent(complaint, intake);

    expect(argsOf(effects, 'suppress')).toEqual([
      [
        organizationIdOf(send.id),
        'ann@example.com',
        'complaint',
        intakeNow,
        {
          at: complaint.at,
          diagnostic: undefined,
          address: undefined,
          providerMessageId: complaint.providerMessageId,
        },
        reporting,
      ],
    ]);
    expect(argsOf(effects, 'record')).toMatchObject([[{ id: send.id }, { type: 'complained' }]]);
  });

  it.each(['sending', 'sent', 'failed', 'suppressed'] as const)(
    'is recorded for a send that is `%s`',
    async (status) => {
      const send = buildSend({ status });
      const { intake, effects } = fake(send);

      await recordEvent(buildBounce(send, ['ann@example.com']), intake);

      expect(namesOf(effects)).toEqual([
        'suppress',
        'commitAcceptance',
        'ensureMissing',
        'store',
        'record',
      ]);
    },
  );
});

describe('the acceptance of a send', () => {
  it('by Send stores the contact, and has no other effect', async () => {
    const send = buildSend();
    const { intake, effects } = fake(send);

    await recordEvent(buildAccepted(send), intake);

    expect(effects).toEqual([
      ['commitAcceptance', send, acceptance, []],
      ['ensureMissing', organizationIdOf(send.id), ['ann@example.com'], send.claimedAt],
    ]);
  });

  it('costs one possibly stale read by Send when the request has committed it', async () => {
    const send = buildSent();
    const reads: unknown[] = [];
    const { intake, effects } = fake(send, {
      timelines: {
        getSend: async (...given) => {
          reads.push(given[2]);
          return send;
        },
        getWithOrganization: unexpected('timelines.getWithOrganization'),
      },
    });

    const outcome = await recordEvent(buildAccepted(send), intake);

    expect(outcome).toEqual({ kind: 'recorded', send, deliveries: [] });
    expect(reads).toEqual([{ isConsistent: false }]);
    expect(effects).toEqual([]);
  });

  it.each<[string, AcceptanceOutcome['kind']]>([
    ['a stale read misses', 'known'],
    ['is a further one', 'further'],
    ['came too late for the send', 'gone'],
  ])('that %s creates no contact when the organization knew everybody', async (_what, kind) => {
    const send = buildSent();
    const { intake, effects } = fake(send, {
      timelines: { getSend: async () => buildSend({ id: send.id }) },
      settlements: { commitAcceptance: async () => ({ kind, send }) },
    });

    await recordEvent(buildAccepted(send), intake);

    expect(namesOf(effects)).toEqual(['commitAcceptance']);
  });

  it.each<AcceptanceOutcome['kind']>(['known', 'further'])(
    'that is %s is checked for contacts that a dead process left unstored',
    async (kind) => {
      const send = buildSent({
        hasNewRecipients: true,
        cc: ['Bob@example.com'],
        bcc: ['cy@example.com', 'bad@example.com'],
        suppressedRecipients: [{ email: 'bad@example.com', reason: 'bounce' }],
      });
      const { intake, effects } = fake(send, {
        settlements: { commitAcceptance: async () => ({ kind, send }) },
      });

      await recordEvent(buildAccepted(send), intake);

      const mailed = ['ann@example.com', 'bob@example.com', 'cy@example.com'];
      expect(argsOf(effects, 'ensureMissing')).toEqual([
        [organizationIdOf(send.id), mailed, send.claimedAt],
      ]);
    },
  );

  it('creates no contact for an erased address', async () => {
    const send = buildSend({ toEmail: 'erased' });
    const { intake, effects } = fake(send);

    await recordEvent(buildAccepted(send), intake);

    expect(argsOf(effects, 'ensureMissing')).toEqual([
      [organizationIdOf(send.id), [], send.claimedAt],
    ]);
  });

  it('creates the contact of an earlier attempt to somebody else', async () => {
    const send = buildSent({ toEmail: 'bob@example.com', hasNewRecipients: true });
    const { intake, effects } = fake({ ...send, claimedAt: acceptedAt + 1_000 });

    await recordEvent(buildAccepted(send), intake);

    expect(argsOf(effects, 'ensureMissing')).toEqual([
      [organizationIdOf(send.id), ['bob@example.com', 'ann@example.com'], acceptedAt],
    ]);
  });

  it.each([
    ['the acceptance', { settlements: { commitAcceptance: failing } }, ['commitAcceptance']],
    [
      'the contact',
      { contacts: { ensureMissing: failing } },
      ['commitAcceptance', 'ensureMissing'],
    ],
  ])("is retried when %s couldn't be stored", async (_what, overrides, names) => {
    const send = buildSend();
    const { intake, effects } = fake(send, overrides);

    await expect(recordEvent(buildHappened(send), intake)).rejects.toThrow('throttled');
    expect(namesOf(effects)).toEqual(names);
  });
});

describe("an event under another digest key for contacts than its organization's", () => {
  function prepare() {
    const organization = keyedOrganization();
    const send = buildSent({ id: newSendId(organization.id), hasNewRecipients: true });
    const { intake, effects } = fake(send, {
      timelines: { getWithOrganization: async () => ({ send, organization }) },
      contacts: { findMissing: async () => ['ann@example.com'] },
    });
    useDigestKey(otherDigestKey);
    return { send, intake, effects };
  }

  it('is retried, and suppresses nobody under another id', async () => {
    const { send, intake, effects } = prepare();

    const run = recordEvent(buildBounce(send, ['ann@example.com']), intake);

    await expect(run).rejects.toMatchObject({ code: 'contact_digest_mismatch' });
    expect(effects).toEqual([]);
  });

  it('is retried when a contact seems to be missing, and creates no second one', async () => {
    const { send, intake, effects } = prepare();

    const run = recordEvent(buildAccepted(send), intake);

    await expect(run).rejects.toMatchObject({ code: 'contact_digest_mismatch' });
    expect(effects).toEqual([]);
  });
});

/** The types of the rows that a run reports as new, for an endpoint that subscribes to everything. */
async function reportedBy(send: Send, fact: ProviderFact, overrides: IntakeOverrides = {}) {
  const webhooks = { [newWebhookId(organizationIdOf(send.id))]: { eventTypes: [] } };
  const { intake } = fake(send, overrides, webhooks);
  const { deliveries } = await recordEvent(fact, intake);
  return deliveries.map(({ type }) => type);
}

describe('the webhook messages of an event', () => {
  it('are its own and one for each address that it suppresses', async () => {
    const send = buildSent();
    const bounce = buildBounce(send, ['ann@example.com', 'bob@example.com']);
    const suppress = async (_organizationId: unknown, identity: string) =>
      identity === 'ann@example.com' ? ('suppressed' as const) : ('unchanged' as const);

    expect(await reportedBy(send, bounce)).toEqual([
      'suppression.added',
      'suppression.added',
      'email.bounced',
    ]);
    expect(await reportedBy(send, bounce, { suppressions: { suppress } })).toEqual([
      'suppression.added',
      'email.bounced',
    ]);
  });

  it('report a failed send when SES rejects its message, if that is new', async () => {
    const send = buildSent();
    const known = { settlements: { recordRejection: async () => false } };

    expect(await reportedBy(send, buildRefused(send))).toEqual(['email.failed']);
    expect(await reportedBy(send, buildRefused(send), known)).toEqual([]);
  });

  it('are one for repeated delays of the same recipients, whatever the reason each time', async () => {
    const send = buildSent();
    const delayOf = (reason: string, ...emails: readonly string[]) =>
      buildHappened(send, {
        type: 'delayed',
        reason,
        recipients: emails.map((email) => ({ email })),
      });
    const { intake, effects } = fake(
      send,
      {},
      {
        [newWebhookId(organizationIdOf(send.id))]: { eventTypes: ['email.delayed'] },
      },
    );

    for (const fact of [
      delayOf('MailboxFull', 'ann@example.com'),
      delayOf('SpamDetected', 'Ann@example.com'),
      delayOf('MailboxFull', 'ann@example.com', 'bob@example.com'),
    ]) {
      await recordEvent(fact, intake);
    }

    const rows = argsOf(effects, 'store').flatMap(([stored]) => storedRows.parse(stored));
    const [first, second, third] = rows.map(({ messageId }) => messageId);
    expect(rows).toHaveLength(3);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe("SES rejecting a send's message", () => {
  it.each(['sending', 'sent', 'failed'] as const)(
    'when the send is `%s` first records its acceptance, then fails it',
    async (status) => {
      const send = buildSend({ status });
      const { intake, effects } = fake(send);

      const outcome = await recordEvent(buildRefused(send), intake);

      expect(namesOf(effects)).toEqual(['commitAcceptance', 'ensureMissing', 'recordRejection']);
      expect(argsOf(effects, 'recordRejection')).toMatchObject([
        [{ id: send.id, status: 'sent' }, acceptance, 'Bad content', []],
      ]);
      expect(outcome).toMatchObject({ kind: 'recorded', send: { id: send.id } });
    },
  );

  it("is retried when it couldn't be stored", async () => {
    const send = buildSent();
    const { intake } = fake(send, { settlements: { recordRejection: failing } });

    await expect(recordEvent(buildRefused(send), intake)).rejects.toThrow('throttled');
  });
});

describe("a bounce's recipients", () => {
  const recipientsAfter = async (
    send: Send,
    recipients: readonly EventRecipient[],
  ): Promise<unknown> => {
    const { intake, effects } = fake(send);
    await recordEvent(buildHappened(send, { type: 'bounced', recipients }), intake);
    return Object(argsOf(effects, 'record')[0]?.[1]).recipients;
  };

  it("are stored with their servers' replies", async () => {
    const bounced = [
      { email: 'bob@example.com', diagnostic: 'smtp; 552 mailbox full' },
      { email: 'ann@example.com' },
    ];

    const kept = await recipientsAfter(buildSent(), bounced);

    expect(kept).toEqual([{ email: 'ann@example.com' }, bounced[0]]);
  });

  it('may be people to whom the email was forwarded', async () => {
    const kept = await recipientsAfter(buildSent(), [{ email: 'ann@other.example' }]);

    expect(kept).toEqual([{ email: 'ann@other.example' }]);
  });

  it("aren't named when they were erased from the send", async () => {
    const erased = { ...buildSent(), toEmail: 'erased', cc: ['Bob@example.com'] };

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
  /** A world with one endpoint that subscribes to everything, and one to complaints only. */
  function fakeSubscribed(send: Send, overrides: IntakeOverrides = {}) {
    const organizationId = organizationIdOf(send.id);
    const [all, complaints] = [newWebhookId(organizationId), newWebhookId(organizationId)];
    const world = fake(send, overrides, {
      [all]: { eventTypes: [] },
      [complaints]: { eventTypes: ['email.complained'] },
    });
    return { ...world, all };
  }

  it('that subscribe to an event get a delivery, which is stored before the event', async () => {
    const send = buildSent();
    const { intake, effects, all } = fakeSubscribed(send);

    const outcome = await recordEvent(buildHappened(send), intake);

    const delivery = expect.objectContaining({
      webhookId: all,
      type: 'email.delivered',
      body: expect.stringContaining(send.id),
      expiresAt: send.expiresAt,
    });
    expect(namesOf(effects)).toEqual(['commitAcceptance', 'store', 'record']);
    expect(argsOf(effects, 'store')).toEqual([[[delivery]]]);
    expect(outcome).toMatchObject({ kind: 'recorded', deliveries: [delivery] });
  });

  it("get an event again when its delivery couldn't be stored, as the event is retried", async () => {
    const send = buildSent();
    const { intake, effects } = fakeSubscribed(send, { deliveries: { store: failing } });

    await expect(recordEvent(buildHappened(send), intake)).rejects.toThrow('throttled');
    expect(namesOf(effects)).not.toContain('record');
  });

  it('get the same delivery however often the event is reported', async () => {
    const send = buildSent();
    const { intake, effects } = fakeSubscribed(send);

    await recordEvent(buildHappened(send), intake);
    await recordEvent(buildHappened(send), { ...intake, now: () => intakeNow + 9_000 });

    const ids = argsOf(effects, 'store').map((args) =>
      JSON.stringify(args).match(/dlv_[a-z2-7]+/g),
    );
    expect(ids).toEqual([[expect.any(String)], ids[0]]);
  });

  it("get each recipient's bounce as a message of its own, once", async () => {
    const send = buildSent();
    const { intake, effects } = fakeSubscribed(send);
    const reports = [['ann@example.com'], ['bob@example.com'], ['Ann@example.com']];

    for (const recipients of reports) {
      await recordEvent(buildBounce(send, recipients), intake);
    }

    const told = argsOf(effects, 'store').map(([rows]) => storedRows.parse(rows));
    const [ann, bob, annAgain] = told.map(([row]) => row?.messageId);
    expect(bob).not.toBe(ann);
    expect(annAgain).toBe(ann);
    const [first] = told;
    expect(JSON.parse(first?.[0]?.body ?? '')).toMatchObject({
      type: 'email.bounced',
      data: { to: 'ann@example.com', recipients: [{ email: 'ann@example.com' }] },
    });
  });

  it('get a bounce once, even when the person is erased in between', async () => {
    const send = buildSent();
    const known = fakeSubscribed(send);
    const erased = fakeSubscribed({ ...send, toEmail: 'erased' });

    await recordEvent(buildBounce(send, ['ann@example.com']), known.intake);
    await recordEvent(buildBounce(send, ['ann@example.com']), erased.intake);

    const messageIds = [known, erased].map(({ effects }) => {
      const [[rows] = []] = argsOf(effects, 'store');
      return storedRows.parse(rows)[0]?.messageId;
    });
    expect(messageIds).toEqual([expect.stringMatching(/^msg_/), messageIds[0]]);
  });

  it("aren't woken again for a delivery that is already stored", async () => {
    const send = buildSent();
    const { intake } = fakeSubscribed(send, { deliveries: { store: async () => [] } });

    const outcome = await recordEvent(buildHappened(send), intake);

    expect(outcome).toMatchObject({ kind: 'recorded', deliveries: [] });
  });

  it.each<[AcceptanceOutcome['kind'], boolean]>([
    ['settled', true],
    ['further', true],
    ['known', false],
    ['gone', false],
  ])('get an acceptance that is %s: %s', async (kind, isTold) => {
    const send = buildSend();
    const { intake, effects, all } = fakeSubscribed(send, {
      settlements: { commitAcceptance: async () => ({ kind, send }) },
    });

    const outcome = await recordEvent(buildAccepted(send), intake);

    const delivery = { type: 'email.sent', webhookId: all };
    expect(argsOf(effects, 'commitAcceptance')).toMatchObject([[send, acceptance, [delivery]]]);
    expect(outcome).toMatchObject({ deliveries: isTold ? [delivery] : [] });
  });

  it('get both the acceptance and the event when one report proves both', async () => {
    const send = buildSend();
    const { intake } = fakeSubscribed(send);

    const outcome = await recordEvent(buildHappened(send), intake);

    expect(outcome).toMatchObject({
      deliveries: [{ type: 'email.sent' }, { type: 'email.delivered' }],
    });
  });
});
