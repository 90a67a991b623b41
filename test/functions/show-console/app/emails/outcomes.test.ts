import { describe, expect, it } from 'vitest';
import {
  badgeOf,
  bounces,
  chipsWith,
  outcomesOf,
  timesOf,
} from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { buildListedSend, buildStory, madeAt } from './email-builders.ts';

describe('the times in the list of emails', () => {
  const scheduled = { createdAt: 1, sendAt: 5 };
  const bounced = buildListedSend({ ...scheduled, status: 'sent', outcomeAt: 9 });

  it.each([
    [['bounced', 'soft_bounced'], 'Bounced'],
    [['soft_bounced'], 'Bounced'],
    [['complained'], 'Complained'],
    [['delayed'], 'Delayed'],
    [['bounced', 'complained'], 'Happened'],
  ] as const)('are those of rare outcomes: %o', (selected, head) => {
    const times = timesOf(selected);

    expect([times.head, times.at(bounced)]).toEqual([head, 9]);
  });

  it.each([[[]], [['delivered']], [['bounced', 'failed']]] as const)(
    'are when emails went out or will, for others: %o',
    (selected) => {
      const { head, at } = timesOf(selected);

      expect([head, at(bounced)]).toEqual(['Time', 5]);
      expect(at(buildListedSend({ ...scheduled, status: 'scheduled' }))).toBe(5);
      expect(at(buildListedSend({ ...scheduled, status: 'canceled' }))).toBe(1);
      expect(at(buildListedSend({ createdAt: 1 }))).toBe(1);
    },
  );
});

it('says what became of an email for each recipient', () => {
  const story = buildStory(
    {
      cc: ['bob@example.com'],
      bcc: ['eve@example.com'],
      suppressedRecipients: [{ email: 'eve@example.com', reason: 'unsubscribe' }],
    },
    [
      { type: 'delivered', ts: madeAt + 1 },
      {
        type: 'bounced',
        ts: madeAt + 2,
        reason: 'Permanent/General',
        recipients: [{ email: 'BOB@example.com' }],
      },
    ],
  );

  const outcomes = outcomesOf(story);

  expect(outcomes.map(({ field, text, isBlocked }) => [field, text, isBlocked])).toEqual([
    ['To', 'No bounce so far', false],
    ['Cc', 'Hard bounce', true],
    ['Bcc', 'Not sent: Unsubscribed', true],
  ]);
});

it('counts a delivery without an address as the only recipient’s', () => {
  const [outcome] = outcomesOf(buildStory({}, [{ type: 'delivered', ts: madeAt + 1 }]));

  expect(outcome).toMatchObject({ text: 'Delivered', tone: 'good' });
});

const texts = (chosen?: string) => chipsWith(chosen).map(([, text]) => text);

it('has a chip for all bounces, and for each kind while one is chosen', () => {
  expect(texts()).toContain('Bounced');
  expect(texts()).not.toContain('Hard bounce');
  for (const chosen of [bounces.join(), ...bounces]) {
    expect(texts(chosen)).toEqual(
      expect.arrayContaining(['Bounced', 'Hard bounce', 'Soft bounce']),
    );
  }
  expect(texts('spam,<b>')).toEqual(texts());
});

it('has a chip for outcomes that a link combines, while they are chosen', () => {
  expect(texts('delivered,opened,clicked')).toContain('Delivered, Opened, Clicked');
  expect(texts()).not.toContain('Delivered, Opened, Clicked');
});

it('has a chip for a passing outcome while it is chosen', () => {
  expect(texts()).not.toContain('Queued');
  expect(texts('queued')).toContain('Queued');
});

it('calls a bounce without a known cause hard', () => {
  expect(badgeOf({ outcome: 'bounced' })).toEqual(['Hard bounce', 'bad']);
});
