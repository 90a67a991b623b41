import { expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import { contactIdOf } from '#shared/tokens/resource-id';
import { explainAddress } from '../../../functions/explain-recipient/explain-address.ts';
import { buildManager } from '../../support/manager-builder.ts';

type Explained = Parameters<typeof explainAddress>[0];
type Reason = Explained['suppressions'][number]['reason'];

const contactId = contactIdOf(buildManager().organizationId, 'ann@example.com');
const explained: Explained = {
  organization: {
    paused: false,
    pausedBySes: false,
    identity: 'active',
    activeDomains: ['mail.example.com'],
  },
  isKnown: true,
  suppressions: [],
  latest: undefined,
};

const suppressed = (...reasons: Reason[]) => ({
  suppressions: reasons.map((reason) => ({ reason, at: 1, contactId })),
});
const latest = (...given: Parameters<typeof verdictOf>) => ({ latest: verdictOf(...given) });

it.each<[Partial<Explained>, string, RegExp, string]>([
  [
    { organization: { ...explained.organization, paused: true } },
    'organization_paused',
    /operator.*paused/,
    'organization',
  ],
  [
    { organization: { ...explained.organization, pausedBySes: true } },
    'organization_paused_by_ses',
    /operator.*paused/,
    'organization',
  ],
  [
    { organization: { ...explained.organization, identity: 'pending' }, ...suppressed('bounce') },
    'no_default_domain',
    /default domain/,
    'domains',
  ],
  [
    { organization: { ...explained.organization, identity: 'none', activeDomains: [] } },
    'no_active_domain',
    /setting up the domain/,
    'domains',
  ],
  [suppressed('bounce', 'complaint'), 'suppressed_complaint', /unless the person asks/, 'address'],
  [suppressed('unsubscribe', 'manual'), 'suppressed_manual', /your team/, 'address'],
  [suppressed('bounce'), 'suppressed_bounce', /typo.*Lift the suppression only/, 'address'],
  [suppressed('unsubscribe'), 'unsubscribed', /transactional email only/, 'address'],
  [{ isKnown: false }, 'unknown_address', /typo/, 'address'],
  [{}, 'nothing_sent', /whether your application sent/, 'address'],
  [latest({ outcome: 'failed' }), 'ses_refused', /Fix/, 'email'],
  [
    latest({ outcome: 'suppressed', reason: 'bounce' }),
    'suppressed_bounce',
    /Nothing suppresses the address now/,
    'email',
  ],
  [
    latest({ outcome: 'bounced', diagnostic: '550 5.1.1 no' }),
    'no_such_mailbox',
    /Nothing suppresses the address now/,
    'email',
  ],
  [latest({ outcome: 'complained' }), 'complained', /Nothing suppresses the address now/, 'email'],
  [
    latest({ outcome: 'complained', isPossible: true }),
    'possibly_complained',
    /Nothing suppresses the address now/,
    'email',
  ],
  [
    latest({ outcome: 'suppressed', reason: 'unsubscribe' }),
    'unsubscribed',
    /Nothing suppresses the address now/,
    'email',
  ],
  [
    latest({ outcome: 'suppressed', reason: 'unsubscribed_category' }),
    'unsubscribed_category',
    /the person’s choice/,
    'email',
  ],
  [latest({ outcome: 'soft_bounced' }), 'unknown', /nothing blocks the address/, 'email'],
  [
    latest({ outcome: 'bounced', reason: 'provider_suppressed' }),
    'on_ses_list',
    /operator/,
    'email',
  ],
  [latest({ outcome: 'scheduled' }), 'scheduled', /reschedule/, 'email'],
  [latest({ outcome: 'delivered' }), 'delivered', /spam folder/, 'email'],
])('says what to do next for %j', (given, code, next, about) => {
  expect(explainAddress({ ...explained, ...given })).toMatchObject({
    about,
    verdict: { code, next: expect.stringMatching(next) },
  });
});

it('says that email reaches an address whose latest email was opened', () => {
  const { verdict } = explainAddress({ ...explained, ...latest({ outcome: 'opened' }) });

  expect(verdict.sentence).toBe('Email reaches this address: the latest one was opened');
});
