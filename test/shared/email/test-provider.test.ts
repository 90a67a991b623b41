import { describe, expect, it } from 'vitest';
import {
  createTestProvider,
  type TestEvents,
  testEventsOf,
  testFateOf,
} from '#shared/email/test-provider';
import { readSesEvent } from '#shared/events/ses-event';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildOutgoingEmail } from '../../support/outgoing-email-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const now = 1_750_000_000_000;
const deadline = { beginsBefore: now + 1_000, endsBefore: now + 5_000 };
const email = buildOutgoingEmail();

/** Provides the email by a provider that queues its events so, at this time. */
const provide = (queue: (events: TestEvents) => Promise<void> = async () => {}, at = now) =>
  createTestProvider(queue, () => at)(email, deadline);

describe('the provider of test emails', () => {
  it('takes an email once its events are queued', async () => {
    const queued: TestEvents[] = [];

    const outcome = await provide(async (events) => void queued.push(events));

    // As its events say: queuing takes a while.
    expect(outcome).toMatchObject({ kind: 'accepted', acceptedAt: now });
    expect(queued.map((events) => events.map(readSesEvent))).toMatchObject([
      [
        {
          kind: 'accepted',
          feedbackId: email.feedbackId,
          ...(outcome.kind === 'accepted' && { providerMessageId: outcome.providerMessageId }),
          at: now,
        },
        { kind: 'happened', type: 'delivered' },
      ],
    ]);
  });

  it('does not know what became of an email whose events may not be queued', async () => {
    const outcome = await provide(() => Promise.reject(new Error('no queue')));

    expect(outcome).toMatchObject({ kind: 'unknown' });
  });

  it('begins nothing after its time', async () => {
    const outcome = await provide(unexpected('the queue'), deadline.beginsBefore);

    expect(outcome).toMatchObject({ kind: 'unreachable' });
  });

  it('gives each email a message id of its own', async () => {
    const outcomes = await Promise.all([provide(), provide()]);

    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(2);
  });
});

describe('the events of a test email to several people', () => {
  it('play the part of each', () => {
    const addresses = ['bounce', 'complaint', 'success', 'ooto', 'suppressionlist'].map((name) =>
      buildEmailAddress(`${name}@simulator.amazonses.com`),
    );
    const [to, cc, ...bcc] = addresses;
    const events = testEventsOf(
      { feedbackId: email.feedbackId, to: to ? [to] : [], cc: cc ? [cc] : [], bcc },
      'test-1',
      new Date(now).toISOString(),
    );

    expect(
      events.map((event) => {
        const fact = readSesEvent(event);
        if (fact.kind !== 'happened') return [fact.kind];
        return [fact.type, fact.reason, ...fact.recipients.map(({ email: whose }) => whose)];
      }),
    ).toEqual([
      ['accepted'],
      ['delivered', undefined],
      ['bounced', 'Permanent/General', 'bounce@simulator.amazonses.com'],
      ['bounced', 'provider_suppressed', 'suppressionlist@simulator.amazonses.com'],
      ['bounced', 'Transient/General', 'ooto@simulator.amazonses.com'],
      ['complained', 'abuse', 'complaint@simulator.amazonses.com'],
    ]);
  });
});

describe('what becomes of a test email', () => {
  it.each([
    ['BOUNCE+x@simulator.amazonses.com', 'bounce'],
    ['bounce@example.com', 'success'],
    ['other@simulator.amazonses.com', 'success'],
    ['complained+7@resend.dev', 'complaint'],
    ['suppressed@resend.dev', 'suppressionlist'],
    ['ann@resend.dev', 'success'],
    ['bounced@resend.dev.example.com', 'success'],
  ])('to %s is %s', (address, fate) => {
    expect(testFateOf(address)).toBe(fate);
  });
});
