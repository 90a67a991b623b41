import { describe, expect, it } from 'vitest';
import { adviceOf } from '../../../../../functions/show-console/app/emails/advice.ts';
import {
  badgeOf,
  type EmailStory,
  outcomesOf,
} from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { buildStory, madeAt } from './email-builders.ts';

const ann = 'ann@example.com';

function adviceFor(
  send: Partial<EmailStory['send']>,
  events: readonly Omit<EmailStory['events'][number], 'ts'>[] = [],
) {
  const story = buildStory(
    send,
    events.map((event, place) => ({ ...event, ts: madeAt + place })),
  );
  return adviceOf(story, outcomesOf(story));
}

const bounced = (reason: string, diagnostic?: string) =>
  ({
    type: 'bounced',
    reason,
    recipients: [{ email: ann, ...(diagnostic && { diagnostic }) }],
  }) as const;

it.each([
  ['delivered', {}, [{ type: 'delivered' }]],
  ['under way', {}, []],
  ['delayed, then delivered', {}, [{ type: 'delayed' }, { type: 'delivered' }]],
  ['scheduled', { status: 'scheduled' }, []],
] as const)('has nothing to say of an email that is %s', (_, send, events) => {
  expect(adviceFor(send, events)).toBeUndefined();
});

it('says what a hard bounce means, and whose suppression can be lifted', () => {
  const advice = adviceFor({}, [bounced('Permanent/General', 'smtp; 550 5.1.1 user unknown')]);

  expect(advice).toMatchObject({
    tone: 'bad',
    what: 'The server says there is no such mailbox.',
    lift: { email: ann },
  });
  expect(advice?.who).toBeUndefined();
});

it.each(['provider_suppressed', 'address_guess'])(
  'has one tone and a badge of its own for an email that SES dropped as %s',
  (reason) => {
    const story = buildStory({ outcome: 'bounced' }, [{ ...bounced(reason), ts: madeAt }]);

    const advice = adviceOf(story, outcomesOf(story));

    expect(advice).toMatchObject({ tone: 'warn', what: 'Dropped by Amazon SES.' });
    expect(advice?.lift).toBeUndefined();
    expect(badgeOf(story.send, story.events)).toEqual(['Dropped', 'warn']);
    expect(badgeOf({ outcome: 'bounced', cause: { reason } })).toEqual(['Dropped', 'warn']);
  },
);

it('offers nothing to lift after a soft bounce', () => {
  const advice = adviceFor({}, [bounced('Transient/MailboxFull')]);

  expect(advice).toMatchObject({ tone: 'warn', what: 'Soft bounce.' });
  expect(advice?.lift).toBeUndefined();
});

it('puts a complaint before a bounce', () => {
  const complained = { type: 'complained', reason: 'abuse', recipients: [{ email: ann }] } as const;

  expect(adviceFor({}, [complained, bounced('Transient/General')])?.what).toBe(
    'It was marked as spam.',
  );
});

describe('an email to several', () => {
  const [bob, eve] = ['bob@example.com', 'eve@example.com'];
  const toThree = { to: [bob, ann], toEmail: bob, cc: [eve] };
  const complained = {
    type: 'complained',
    reason: 'abuse',
    recipients: [{ email: 'EVE@example.com' }],
  } as const;
  const bouncedFor = (reason: string, ...emails: string[]) =>
    ({ type: 'bounced', reason, recipients: emails.map((email) => ({ email })) }) as const;

  it('names who complained, and lifts that suppression, not another', () => {
    const advice = adviceFor(toThree, [bouncedFor('Permanent/General', bob), complained]);

    expect(advice).toMatchObject({
      who: eve,
      what: 'It was marked as spam.',
      lift: { email: eve, reason: 'complaint' },
    });
  });

  it('names who bounced for good, though a soft bounce came later', () => {
    const events = [bouncedFor('Permanent/General', bob), bouncedFor('Transient/General', ann)];

    const advice = adviceFor(toThree, events);

    expect(advice).toMatchObject({ who: bob, tone: 'bad', lift: { email: bob, reason: 'bounce' } });
  });

  it('leaves lifting to the recipients’ rows where several are suppressed', () => {
    const bounced = adviceFor(toThree, [bouncedFor('Permanent/General', bob, ann)]);
    const suppressed = adviceFor({
      ...toThree,
      status: 'suppressed',
      suppressedRecipients: [bob, ann, eve].map((email) => ({ email, reason: 'bounce' })),
    });

    expect([bounced?.who, bounced?.lift]).toEqual([`${bob} and 1 more`, undefined]);
    expect(bounced?.next).toMatch(/^These addresses get no more email/);
    expect([suppressed?.what, suppressed?.lift]).toEqual([
      'It wasn’t sent: all of its addresses are suppressed (hard bounce).',
      undefined,
    ]);
  });

  it('says no reason where each has its own, and names nobody who only may have complained', () => {
    const suppressed = adviceFor({
      toEmail: ann,
      cc: [eve],
      status: 'suppressed',
      suppressedRecipients: [
        { email: ann, reason: 'bounce' },
        { email: eve, reason: 'unsubscribed_category' },
      ],
    });
    const possible = adviceFor(toThree, [
      { ...complained, recipients: [bob, ann, eve].map((email) => ({ email })) },
    ]);

    expect(suppressed?.what).toBe('It wasn’t sent: all of its addresses are suppressed.');
    expect(suppressed?.lift?.email).toBe(ann);
    expect([possible?.who, possible?.lift]).toEqual([undefined, undefined]);
  });
});

it('says why an email never went out', () => {
  const failed = adviceFor({ status: 'failed', failureReason: 'Email address is not verified' });
  const suppressed = adviceFor({
    status: 'suppressed',
    suppressedRecipients: [{ email: ann, reason: 'bounce' }],
  });

  expect(failed?.next).toBe(
    'Email address is not verified. Fix the cause, then send it again from your application.',
  );
  expect(suppressed?.what).toBe('It wasn’t sent: the address is suppressed (hard bounce).');
  expect(suppressed?.lift?.email).toBe(ann);
});
