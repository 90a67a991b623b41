import { expect, it } from 'vitest';
import {
  dropOf,
  type Explained,
  nextStepOf,
} from '../../../../../functions/show-console/app/contacts/next-step.ts';

type Email = Explained['emails'][number];

const at = 1_800_000_000_000;

const explained: Explained = {
  email: 'ann@example.com',
  contactId: 'con_1',
  obstacles: [],
  organization: {
    paused: false,
    pausedBySes: false,
    identity: 'active',
    activeDomains: ['mail.example.com'],
  },
  contact: { createdAt: at, subscriptions: [] },
  suppressions: [],
  providerList: { state: 'not_listed' },
  emails: [],
};

const email = (status: Email['status'], ...types: Email['events'][number]['type'][]): Email => ({
  sendId: 'snd_1',
  subject: 'Welcome',
  status,
  outcomeKind: status,
  outcome: '',
  createdAt: at,
  events: types.map((type) => ({ type, ts: at })),
});

const suppressed = (...reasons: Explained['suppressions'][number]['reason'][]) => ({
  suppressions: reasons.map((reason) => ({
    email: 'ann@example.com',
    contactId: 'con_1',
    reason,
    at,
  })),
});

const dropped = (reason: string): Email => ({
  ...email('sent'),
  events: [{ type: 'bounced', ts: at, reason }],
});

const latest = '/console/emails/snd_1';

it.each<[Partial<Explained>, RegExp, string?]>([
  [{ organization: { ...explained.organization, paused: true } }, /operator.*paused/],
  [{ organization: { ...explained.organization, pausedBySes: true } }, /operator.*paused/],
  [
    { organization: { ...explained.organization, identity: 'pending' }, ...suppressed('bounce') },
    /domain/,
    '/console/domains',
  ],
  [suppressed('bounce', 'complaint'), /unless the person asks/],
  [suppressed('unsubscribe', 'manual'), /your team/],
  [{ ...suppressed('bounce'), providerList: { state: 'listed' } }, /typo.*lift the suppression/],
  [{ providerList: { state: 'listed' } }, /operator.*Amazon SES/],
  [suppressed('unsubscribe'), /transactional email only/],
  [{ contact: null }, /typo/],
  [{}, /whether your application sent/],
  [{ emails: [email('failed')] }, /Fix/, latest],
  [{ emails: [email('suppressed')] }, /again.*still suppressed/, latest],
  [{ emails: [email('sending')] }, /Wait a moment/, latest],
  [{ emails: [email('sent', 'sent')] }, /hasn’t answered yet/, latest],
  [{ emails: [email('sent', 'sent', 'delivered')] }, /spam folder/, latest],
  [
    { emails: [{ ...email('sent', 'sent', 'delivered', 'opened'), outcomeKind: 'opened' }] },
    /Nothing to do.*opened/,
    latest,
  ],
  [
    { emails: [{ ...email('sent', 'delivered', 'opened'), outcomeKind: 'delivered' }] },
    /spam folder/,
    latest,
  ],
  [{ emails: [email('sent', 'delivered', 'bounced')] }, /It bounced/, latest],
  [{ emails: [dropped('provider_suppressed')] }, /operator.*off SES’s list/, latest],
  [{ emails: [dropped('address_guess')] }, /typos.*Auto Validation/, latest],
  [{ emails: [email('sent', 'delivered'), email('failed')] }, /spam folder/, latest],
])('says what to do next for %j', (given, text, href) => {
  const step = nextStepOf({ ...explained, ...given });

  expect(step.text).toMatch(text);
  expect(step.href).toBe(href);
});

it.each<[Partial<Explained>, boolean]>([
  [{ emails: [dropped('provider_suppressed')] }, true],
  [{ emails: [dropped('provider_suppressed')], ...suppressed('manual') }, false],
  [{ emails: [email('sent', 'bounced')] }, false],
  [{ emails: [email('sent', 'delivered'), dropped('provider_suppressed')] }, false],
  [{}, false],
])('knows of %j whether SES’s drop is all that’s in the way: %s', (given, isSo) => {
  expect(dropOf({ ...explained, ...given }) !== undefined).toBe(isSo);
});
