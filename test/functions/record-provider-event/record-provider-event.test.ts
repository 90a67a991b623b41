import { describe, expect, it } from 'vitest';
import type { ProviderFact } from '#shared/events/ses-event';
import type { Send } from '#shared/sending/send';
import { newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import type { WebhookSubscriptions } from '#shared/webhooks/webhook';
import {
  type RecordDependencies,
  recordProviderEvent,
} from '../../../functions/record-provider-event/record-provider-event.ts';
import { buildSend } from '../../support/send-builder.ts';

const now = 1_750_000_000_000;

type Effect = readonly [name: string, ...args: readonly unknown[]];

/** A world of one send that is found by its feedback id and, as `message-1`, by its message. */
function buildWorld(
  send: Send,
  overrides: Partial<RecordDependencies> = {},
  subscriptions: WebhookSubscriptions = {},
) {
  const effects: Effect[] = [];
  const fake: RecordDependencies = {
    now: () => now,
    findFeedbackId: async (id) => (id === 'message-1' ? send.feedbackId : undefined),
    getSend: async (feedbackId) =>
      feedbackId === send.feedbackId ? { send, subscriptions } : undefined,
    suppress: async () => {},
    putNewEvent: async () => true,
    commitAcceptance: async () => 'settled',
    recordLateAcceptance: async () => 'settled',
    commitFailure: async () => 'settled',
    ensureRecipient: async () => {},
    ...overrides,
  };
  const recorded =
    <Args extends readonly unknown[], Result>(name: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      effects.push([name, ...args]);
      return run(...args);
    };
  const dependencies: RecordDependencies = {
    ...fake,
    suppress: recorded('suppress', fake.suppress),
    putNewEvent: recorded('putNewEvent', fake.putNewEvent),
    commitAcceptance: recorded('commitAcceptance', fake.commitAcceptance),
    recordLateAcceptance: recorded('recordLateAcceptance', fake.recordLateAcceptance),
    commitFailure: recorded('commitFailure', fake.commitFailure),
    ensureRecipient: recorded('ensureRecipient', fake.ensureRecipient),
  };
  return { dependencies, effects };
}

type Happened = Extract<ProviderFact, { kind: 'happened' }>;

const buildHappened = (send: Send, overrides: Partial<Happened> = {}): Happened => ({
  kind: 'happened',
  type: 'delivered',
  at: now - 1_000,
  providerMessageId: 'message-1',
  feedbackId: send.feedbackId,
  reason: undefined,
  suppressed: [],
  suppressionReason: 'bounce',
  ...overrides,
});

const buildBounce = (send: Send, suppressed: readonly string[]) =>
  buildHappened(send, { type: 'bounced', reason: 'Permanent/General', suppressed });

const buildAccepted = (send: Send): ProviderFact => ({
  kind: 'accepted',
  at: now - 2_000,
  providerMessageId: 'message-1',
  feedbackId: send.feedbackId,
});

const buildRefused = (send: Send): ProviderFact => ({
  kind: 'refused',
  at: now - 2_000,
  providerMessageId: 'message-1',
  feedbackId: send.feedbackId,
  reason: 'Bad content',
});

describe('recordProviderEvent', () => {
  it('records what happened in the timeline of its send', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);

    const outcome = await recordProviderEvent(buildHappened(send), dependencies);

    const event = { type: 'delivered', ts: now - 1_000, providerMessageId: 'message-1' };
    expect(outcome).toEqual({ kind: 'recorded', send, deliveries: [] });
    expect(effects).toEqual([['putNewEvent', send.feedbackId, event, []]]);
  });

  it('keeps the reason of a bounce', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(buildBounce(send, []), dependencies);

    expect(effects).toMatchObject([['putNewEvent', {}, { reason: 'Permanent/General' }, []]]);
  });

  it('finds the send by its message when the event has no feedback id', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(buildHappened(send, { feedbackId: undefined }), dependencies);

    expect(effects).toMatchObject([['putNewEvent', send.feedbackId, {}, []]]);
  });

  it('does not look for the message when the event has a feedback id', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies } = buildWorld(send, {
      findFeedbackId: () => Promise.reject(new Error('looked')),
    });

    const outcome = await recordProviderEvent(buildHappened(send), dependencies);

    expect(outcome.kind).toBe('recorded');
  });

  it.each([
    ['an unknown message', { feedbackId: undefined, providerMessageId: 'message-of-another' }],
    [
      'an unknown feedback id',
      { feedbackId: buildSend().feedbackId, providerMessageId: 'message-2' },
    ],
  ])('ignores %s, and suppresses nobody for it', async (_what, overrides) => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);
    const fact = { ...buildBounce(send, ['ann@example.com']), ...overrides };

    const outcome = await recordProviderEvent(fact, dependencies);

    expect(outcome).toEqual({ kind: 'ignored', reason: 'not one of our sends' });
    expect(effects).toEqual([]);
  });

  it('finds the send by its message when the feedback id leads nowhere', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies } = buildWorld(send);
    const fact = { ...buildHappened(send), feedbackId: buildSend().feedbackId };

    const outcome = await recordProviderEvent(fact, dependencies);

    expect(outcome).toMatchObject({ kind: 'recorded', send });
  });

  it('ignores what is not recorded', async () => {
    const { dependencies, effects } = buildWorld(buildSend());

    const outcome = await recordProviderEvent(
      { kind: 'ignored', eventType: 'DeliveryDelay' },
      dependencies,
    );

    expect(outcome).toEqual({ kind: 'ignored', reason: 'DeliveryDelay' });
    expect(effects).toEqual([]);
  });
});

describe('a suppressing event', () => {
  it('suppresses each address in the organization of the send, and then records the event', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(
      buildBounce(send, ['ann@example.com', 'bob@example.com']),
      dependencies,
    );

    const organizationId = organizationIdOf(send.id);
    expect(effects).toEqual([
      ['suppress', organizationId, 'ann@example.com', 'bounce', now],
      ['suppress', organizationId, 'bob@example.com', 'bounce', now],
      ['putNewEvent', send.feedbackId, expect.anything(), []],
    ]);
  });

  it('suppresses also when its event is recorded already', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send, { putNewEvent: async () => false });

    const outcome = await recordProviderEvent(buildBounce(send, ['bob@example.com']), dependencies);

    expect(outcome.kind).toBe('recorded');
    expect(effects).toContainEqual([
      'suppress',
      organizationIdOf(send.id),
      'bob@example.com',
      'bounce',
      now,
    ]);
  });

  it('is not recorded when an address could not be suppressed, so that it comes again', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send, {
      suppress: () => Promise.reject(new Error('throttled')),
    });

    const run = recordProviderEvent(buildBounce(send, ['ann@example.com']), dependencies);

    await expect(run).rejects.toThrow('throttled');
    expect(effects.map(([name]) => name)).toEqual(['suppress']);
  });

  it('fails when the event could not be recorded, so that it comes again', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies } = buildWorld(send, {
      putNewEvent: () => Promise.reject(new Error('throttled')),
    });

    await expect(recordProviderEvent(buildHappened(send), dependencies)).rejects.toThrow(
      'throttled',
    );
  });

  it('suppresses for a complaint by that name', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildWorld(send);
    const complaint = buildHappened(send, {
      type: 'complained',
      suppressed: ['ann@example.com'],
      suppressionReason: 'complaint',
    });

    await recordProviderEvent(complaint, dependencies);

    expect(effects).toMatchObject([
      ['suppress', organizationIdOf(send.id), 'ann@example.com', 'complaint', now],
      ['putNewEvent', send.feedbackId, { type: 'complained' }, []],
    ]);
  });

  it('is recorded for a send of any status', async () => {
    for (const status of ['sending', 'sent', 'failed'] as const) {
      const send = buildSend({ status });
      const { dependencies, effects } = buildWorld(send);

      await recordProviderEvent(buildBounce(send, ['ann@example.com']), dependencies);

      expect(effects.map(([name]) => name)).toEqual(['suppress', 'putNewEvent']);
    }
  });
});

describe('the acceptance of a send', () => {
  const acceptance = { providerMessageId: 'message-1', at: now - 2_000 };

  it('that is still `sending` repairs it', async () => {
    const send = buildSend({ status: 'sending' });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(buildAccepted(send), dependencies);

    expect(effects).toEqual([
      ['commitAcceptance', send, expect.objectContaining(acceptance), []],
      ['ensureRecipient', send, now],
    ]);
  });

  it('that its own request settles meanwhile is recorded beside that', async () => {
    const send = buildSend({ status: 'sending' });
    const { dependencies, effects } = buildWorld(send, { commitAcceptance: async () => 'lost' });

    await recordProviderEvent(buildAccepted(send), dependencies);

    expect(effects.map(([name]) => name)).toEqual(['commitAcceptance', 'recordLateAcceptance']);
    expect(effects[1]).toEqual([
      'recordLateAcceptance',
      send,
      expect.objectContaining(acceptance),
      [],
    ]);
  });

  it.each(['sent', 'failed', 'suppressed'] as const)(
    'that is `%s` already is recorded and changes no status',
    async (status) => {
      const send = buildSend({ status });
      const { dependencies, effects } = buildWorld(send);

      await recordProviderEvent(buildAccepted(send), dependencies);

      expect(effects).toEqual([
        ['recordLateAcceptance', send, expect.objectContaining(acceptance), []],
      ]);
    },
  );
});

describe('the refusal of a send', () => {
  it.each(['sending', 'sent'] as const)('that is `%s` fails it', async (status) => {
    const send = buildSend({ status });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(buildRefused(send), dependencies);

    expect(effects).toEqual([['commitFailure', send, 'Bad content', now]]);
  });

  it('that has failed already changes nothing', async () => {
    const send = buildSend({ status: 'failed' });
    const { dependencies, effects } = buildWorld(send);

    await recordProviderEvent(buildRefused(send), dependencies);

    expect(effects).toEqual([]);
  });

  it('whose request settled it meanwhile fails it as it stands then', async () => {
    const before = buildSend({ status: 'sending' });
    const after: Send = { ...before, status: 'sent' };
    let current = before;
    const { dependencies, effects } = buildWorld(before, {
      getSend: async () => ({ send: current, subscriptions: {} }),
      commitFailure: async (send) => {
        const isCurrent = send === current;
        current = after;
        return isCurrent && send.status === 'sent' ? 'settled' : 'lost';
      },
    });

    await recordProviderEvent(buildRefused(before), dependencies);

    expect(effects).toEqual([
      ['commitFailure', before, 'Bad content', now],
      ['commitFailure', after, 'Bad content', now],
    ]);
  });
});

describe('webhooks', () => {
  /** A world in which one endpoint wants to hear of everything, and one of complaints only. */
  function buildSubscribedWorld(send: Send, overrides: Partial<RecordDependencies> = {}) {
    const organizationId = organizationIdOf(send.id);
    const [all, complaints] = [newWebhookId(organizationId), newWebhookId(organizationId)];
    const world = buildWorld(send, overrides, {
      [all]: { eventTypes: [] },
      [complaints]: { eventTypes: ['email.complained'] },
    });
    return { ...world, all };
  }

  it('that want to hear of an event get a delivery, which is stored with it', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects, all } = buildSubscribedWorld(send);

    const outcome = await recordProviderEvent(buildHappened(send), dependencies);

    const delivery = expect.objectContaining({
      webhookId: all,
      type: 'email.delivered',
      body: expect.stringContaining(send.id),
    });
    expect(effects).toEqual([['putNewEvent', send.feedbackId, expect.anything(), [delivery]]]);
    expect(outcome).toMatchObject({ kind: 'recorded', deliveries: [delivery] });
  });

  it('get the same delivery however often the event is reported', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies, effects } = buildSubscribedWorld(send);

    await recordProviderEvent(buildHappened(send), dependencies);
    await recordProviderEvent(buildHappened(send), { ...dependencies, now: () => now + 9_000 });

    const ids = effects.map((effect) => JSON.stringify(effect).match(/dlv_[a-z2-7]+/g));
    expect(ids).toEqual([[expect.any(String)], ids[0]]);
  });

  it('are not told again of an event that is recorded already', async () => {
    const send = buildSend({ status: 'sent' });
    const { dependencies } = buildSubscribedWorld(send, { putNewEvent: async () => false });

    const outcome = await recordProviderEvent(buildHappened(send), dependencies);

    expect(outcome).toMatchObject({ kind: 'recorded', deliveries: [] });
  });

  it('are told of an acceptance by who settles it, and by nobody else', async () => {
    const send = buildSend({ status: 'sending' });
    const settled = buildSubscribedWorld(send);
    const lost = buildSubscribedWorld(send, {
      commitAcceptance: async () => 'lost',
      recordLateAcceptance: async () => 'lost',
    });

    const [first, second] = [
      await recordProviderEvent(buildAccepted(send), settled.dependencies),
      await recordProviderEvent(buildAccepted(send), lost.dependencies),
    ];

    expect(first).toMatchObject({ deliveries: [{ type: 'email.sent', webhookId: settled.all }] });
    expect(second).toMatchObject({ deliveries: [] });
  });
});
