import { describe, expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import {
  badgeOf,
  bounces,
  chipsWith,
  outcomesOf,
  timesOf,
} from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { buildListedSend, buildStory } from './email-builders.ts';

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

  it.each([[[]], [['delivered']], [['bounced', 'delivered']]] as const)(
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

const recipient = (...[told]: Parameters<typeof verdictOf>) => ({
  email: 'ann@example.com',
  field: 'to' as const,
  outcome: told.outcome,
  verdict: verdictOf(told),
});

it.each([
  [{ outcome: 'delivered' }, 'Delivered', 'good', undefined],
  [{ outcome: 'bounced', reason: 'Permanent/General' }, 'Hard bounce', 'bad', 'bounce'],
  [{ outcome: 'bounced', reason: 'provider_suppressed' }, 'Hard bounce', 'bad', undefined],
  [{ outcome: 'complained' }, 'Complained', 'bad', 'complaint'],
  [{ outcome: 'suppressed', reason: 'unsubscribe' }, 'Suppressed', 'quiet', 'unsubscribe'],
  [{ outcome: 'suppressed', reason: 'unsubscribed_category' }, 'Suppressed', 'quiet', undefined],
] as const)('says what became of an email for a recipient: %o', (told, text, tone, reason) => {
  const [outcome] = outcomesOf(buildStory({}, [], [recipient(told)]));

  expect(outcome).toMatchObject({ field: 'To', text, tone, isBlocked: reason !== undefined });
  expect(outcome?.reason).toBe(reason);
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
