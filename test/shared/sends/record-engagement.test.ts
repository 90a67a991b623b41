import { describe, expect, it } from 'vitest';
import type { Send } from '#shared/sending/send';
import { reportedAsSeen } from '#shared/sending/send-items';
import { recordEngagement } from '#shared/sends/record-engagement';
import { newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { clickOf, openOf } from '#shared/tracking/engagement';
import {
  type EngagementRecordingOverrides,
  fakeEngagementRecording,
} from '../../support/engagement-recording-builder.ts';
import { buildSend } from '../../support/send-builder.ts';

const now = 1_750_000_000_000;
const person = { at: now, isMachine: false };
const machine = { at: now, isMachine: true };

const buildSent = () =>
  buildSend({ status: 'sent', providerMessageId: 'message-1', sentAt: now - 60_000 });

/** A recording for a send, with one endpoint that subscribes to everything if it `isSubscribed`. */
function fake(send: Send, isSubscribed: boolean, overrides: EngagementRecordingOverrides = {}) {
  const webhookId = newWebhookId(organizationIdOf(send.id));
  const subscriptions = isSubscribed ? { [webhookId]: { eventTypes: [] } } : {};
  return { webhookId, ...fakeEngagementRecording({ send, subscriptions }, overrides) };
}

type Fake = ReturnType<typeof fake>;

const namesOf = ({ effects }: Fake) => effects.map(([name]) => name);

const failing = () => Promise.reject(new Error('throttled'));

describe('a hit (open or click) on an email', () => {
  it('is counted as long as its send is kept', async () => {
    const send = buildSent();
    const { recording, effects } = fake(send, false);

    await recordEngagement(openOf(send.feedbackId), person, recording);

    expect(effects).toEqual([['countOpen', send, person]]);
  });

  it("on a link is counted on the link's item, and the send has the time of the first person", async () => {
    const send = buildSent();
    const click = clickOf({ feedbackId: send.feedbackId, destination: 'https://example.com/' });
    const { recording, effects } = fake(send, false, { engagements: { find: async () => ({}) } });

    await recordEngagement(click, machine, recording);
    await recordEngagement(click, person, recording);

    expect(effects).toEqual([
      ['countHit', click, machine],
      ['markFirst', send, 'clicked', now],
      ['countHit', click, person],
    ]);
  });

  it("requires the send as it was read when it is the link's first, even if no endpoint subscribes to it", async () => {
    const send = buildSent();
    const click = clickOf({ feedbackId: send.feedbackId, destination: 'https://example.com/' });
    const { recording, effects } = fake(send, false);

    await recordEngagement(click, machine, recording);

    expect(effects).toEqual([
      ['countNews', click, machine, [], send.expiresAt, reportedAsSeen(send)],
    ]);
  });

  it("on an unknown send isn't counted", async () => {
    const world = fake(buildSent(), true);

    await recordEngagement(openOf(buildSent().feedbackId), person, world.recording);

    expect(world.effects).toEqual([]);
  });

  it.each([
    ['is gone', null],
    ['has its links disabled', { linksDisabled: true }],
  ])("on an organization that %s isn't counted", async (_what, organization) => {
    const send = buildSent();
    const world = fake(send, true, { organization });

    await recordEngagement(openOf(send.feedbackId), person, world.recording);

    expect(world.effects).toEqual([]);
  });

  it('that is new is counted with its webhook deliveries, which are then sent', async () => {
    const send = buildSent();
    const { recording, effects, webhookId } = fake(send, true);
    const click = clickOf({
      feedbackId: send.feedbackId,
      destination: 'https://shop.example.com/order?token=secret',
    });

    await recordEngagement(click, person, recording);

    const delivery = expect.objectContaining({
      webhookId,
      type: 'email.clicked',
      body: expect.stringContaining('"url":"https://shop.example.com/order"'),
      expiresAt: send.expiresAt,
    });
    expect(effects).toEqual([
      ['markFirst', send, 'clicked', now],
      ['countNews', click, person, [delivery], send.expiresAt, reportedAsSeen(send)],
      ['wakeQueue', [delivery]],
    ]);
    expect(JSON.stringify(effects)).not.toContain('token=secret');
  });

  it("on an email with an erased person is counted and reported without its link's path", async () => {
    const send = buildSend({ ...buildSent(), toEmail: 'erased' });
    const { recording, effects } = fake(send, true);
    const destination = 'https://shop.example.com/unsubscribe/ann%40example.com?really=yes';

    const click = clickOf({ feedbackId: send.feedbackId, destination });

    await recordEngagement(click, person, recording);

    const url = 'https://shop.example.com';
    const delivery = expect.objectContaining({ body: expect.stringContaining(`"url":"${url}"`) });
    expect(effects).toContainEqual([
      'countNews',
      { ...click, url },
      person,
      [delivery],
      send.expiresAt,
      reportedAsSeen(send),
    ]);
    expect(JSON.stringify(effects)).not.toContain('ann%40');
  });

  it("that isn't new is counted and not reported", async () => {
    const send = buildSend({ ...buildSent(), opens: 1, openedAt: now - 1 });
    const world = fake(send, true);

    await recordEngagement(openOf(send.feedbackId), person, world.recording);
    await recordEngagement(openOf(send.feedbackId), machine, world.recording);

    expect(namesOf(world)).toEqual(['countOpen', 'countOpen']);
  });

  it('wakes no delivery when another hit was faster', async () => {
    const send = buildSent();
    const world = fake(send, true, { heard: { countOpenNews: async () => 'counted' } });

    await recordEngagement(openOf(send.feedbackId), person, world.recording);

    expect(namesOf(world)).toEqual(['countOpenNews']);
  });

  it('is retried when a person was erased from its send at the same moment', async () => {
    const send = buildSent();
    const outcomes = ['send_changed', 'told'] as const;
    let tries = 0;
    const world = fake(send, true, {
      heard: { countOpenNews: async () => outcomes[tries++] ?? 'told' },
    });

    await recordEngagement(openOf(send.feedbackId), person, world.recording);

    expect(namesOf(world)).toEqual(['countOpenNews', 'countOpenNews', 'wakeQueue']);
  });

  it("is reported once as a machine's and once as a person's", async () => {
    const send = buildSent();
    const { recording, effects } = fake(send, true);

    await recordEngagement(openOf(send.feedbackId), machine, recording);
    await recordEngagement(openOf(send.feedbackId), person, recording);
    await recordEngagement(openOf(send.feedbackId), { ...person, at: now + 9_000 }, recording);

    const [first, second, third] = effects
      .filter(([name]) => name === 'countOpenNews')
      .map((effect) => JSON.stringify(effect).match(/msg_[a-z2-7]+/)?.[0]);
    expect(first).not.toBe(second);
    expect(third).toBe(second);
  });
});

describe('a hit on an email in doubt', () => {
  it('proves that SES took it, before it is counted', async () => {
    const send = buildSend();
    const { recording, effects } = fake(send, false);

    await recordEngagement(openOf(send.feedbackId), person, recording);

    expect(effects).toEqual([
      ['recordProof', send, now],
      ['countOpen', send, person],
    ]);
  });

  it("proves that even when it comes from a machine or isn't new", async () => {
    const send = buildSend({ opens: 1 });
    const world = fake(send, true);

    await recordEngagement(openOf(send.feedbackId), machine, world.recording);

    expect(namesOf(world)).toEqual(['recordProof', 'countOpen']);
  });

  it.each(['failed', 'suppressed'] as const)(
    'proves that even when a later attempt has made the send `%s`',
    async (status) => {
      const send = buildSend({ status });
      const world = fake(send, false);

      await recordEngagement(openOf(send.feedbackId), person, world.recording);

      expect(namesOf(world)).toContain('recordProof');
    },
  );

  it("isn't counted when the proof couldn't be stored, and is logged", async () => {
    const send = buildSend();
    const world = fake(send, false, { settlements: { recordProof: failing } });

    const run = recordEngagement(openOf(send.feedbackId), person, world.recording);

    await expect(run).rejects.toThrow('throttled');
    expect(namesOf(world)).toEqual(['recordProof']);
  });
});
