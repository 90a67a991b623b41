import { expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import type { SendStatus } from '#shared/sending/send';
import { nextStepOf } from '../../../functions/explain-recipient/next-step.ts';

type Explained = Parameters<typeof nextStepOf>[0];
type Email = NonNullable<Explained['latestEmail']>;

const explained: Explained = {
  organization: {
    paused: false,
    pausedBySes: false,
    identity: 'active',
    activeDomains: ['mail.example.com'],
  },
  isKnown: true,
  suppressions: [],
  latestEmail: undefined,
};

const email = (status: SendStatus, ...types: Event['type'][]) => ({
  latestEmail: {
    status,
    outcomeKind: status,
    events: types.map((type) => ({ type })),
  } satisfies Email,
});

const seen = (outcomeKind: Email['outcomeKind'], ...types: Event['type'][]) => ({
  latestEmail: { ...email('sent', ...types).latestEmail, outcomeKind },
});

const dropped = (reason: string) => ({
  latestEmail: { ...email('sent').latestEmail, events: [{ type: 'bounced', reason }] } as const,
});

const suppressed = (...reasons: Explained['suppressions'][number]['reason'][]) => ({
  suppressions: reasons.map((reason) => ({ reason })),
});

it.each<[Partial<Explained>, RegExp, string]>([
  [
    { organization: { ...explained.organization, paused: true } },
    /operator.*paused/,
    'organization',
  ],
  [
    { organization: { ...explained.organization, pausedBySes: true } },
    /operator.*paused/,
    'organization',
  ],
  [
    { organization: { ...explained.organization, identity: 'pending' }, ...suppressed('bounce') },
    /default domain/,
    'domains',
  ],
  [
    { organization: { ...explained.organization, identity: 'none', activeDomains: [] } },
    /setting up the domain/,
    'domains',
  ],
  [suppressed('bounce', 'complaint'), /unless the person asks/, 'address'],
  [suppressed('unsubscribe', 'manual'), /your team/, 'address'],
  [suppressed('bounce'), /typo.*lift the suppression/, 'address'],
  [suppressed('unsubscribe'), /transactional email only/, 'address'],
  [{ isKnown: false }, /typo/, 'address'],
  [{}, /whether your application sent/, 'address'],
  [email('failed'), /Fix/, 'email'],
  [email('suppressed'), /again.*still suppressed/, 'email'],
  [email('scheduled'), /is due/, 'email'],
  [email('canceled'), /canceled it/, 'email'],
  [email('queued'), /Wait a moment/, 'email'],
  [email('sending'), /Wait a moment/, 'email'],
  [email('sent', 'sent'), /hasn’t answered yet/, 'email'],
  [email('sent', 'sent', 'delivered'), /spam folder/, 'email'],
  [seen('opened', 'sent', 'delivered', 'opened'), /Nothing to do.*opened/, 'email'],
  [seen('delivered', 'delivered', 'opened'), /spam folder/, 'email'],
  [email('sent', 'delivered', 'bounced'), /It bounced/, 'email'],
  [dropped('provider_suppressed'), /operator.*off SES’s list/, 'email'],
  [dropped('address_guess'), /typos.*Auto Validation/, 'email'],
])('says what to do next for %j', (given, text, about) => {
  const step = nextStepOf({ ...explained, ...given });

  expect(step).toEqual({ about, text: expect.stringMatching(text) });
});
