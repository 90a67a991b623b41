import { expect, it } from 'vitest';
import type { Send } from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { alwaysSaysWhy, whyOf } from '../../../../../functions/show-console/app/emails/why.ts';
import { buildListedSend } from './email-builders.ts';

const diagnostic = 'smtp; 550 5.1.1 user unknown';
const email = 'ben@example.com';
const reason = 'Permanent/General';
const blockedFor = (why: string) => ({ suppressedRecipients: [{ email, reason: why }] });

it.each([
  [{ outcome: 'bounced', cause: { diagnostic } }, 'No such mailbox'],
  [
    { outcome: 'bounced', cause: { diagnostic, email }, cc: [email] },
    'No such mailbox (ben@example.com)',
  ],
  [{ outcome: 'bounced', cause: { diagnostic: 'go away' } }, 'Go away'],
  [{ outcome: 'bounced', cause: { reason } }, 'No reason given'],
  [{ outcome: 'bounced' }, 'No reason given'],
  [{ outcome: 'bounced', cause: { reason: 'provider_suppressed' } }, 'Dropped by Amazon SES'],
  [{ outcome: 'soft_bounced', cause: { reason: 'Transient/MailboxFull' } }, 'The mailbox is full'],
  [
    { outcome: 'soft_bounced', cause: { reason: 'Transient/General' } },
    'Possibly an automatic reply',
  ],
  [{ outcome: 'complained', cause: { reason: 'abuse' } }, 'The reader pressed “spam”'],
  [{ outcome: 'complained' }, 'The reader reported it'],
  [{ outcome: 'delayed', cause: { diagnostic: '452 4.2.2 full' } }, 'Not yet: the mailbox is full'],
  [{ outcome: 'delayed' }, 'The server isn’t accepting it yet'],
  [{ outcome: 'failed', failureReason: 'MessageRejected' }, 'MessageRejected'],
  [{ outcome: 'failed', failureReason: 'not_accepted' }, 'Amazon SES never accepted it'],
  [{ outcome: 'suppressed', ...blockedFor('complaint') }, 'Complained about an earlier email'],
  [{ outcome: 'suppressed', ...blockedFor('new_kind') }, 'new_kind'],
  [{ outcome: 'delivered', cause: { diagnostic } }, undefined],
] satisfies [Partial<Send>, string | undefined][])('says of %o why: %s', (send, why) => {
  expect(whyOf(buildListedSend(send))).toBe(why);
});

it.each<readonly [outcomes: readonly Send['outcome'][], isSo: boolean]>([
  [[], false],
  [['bounced'], true],
  [['bounced', 'failed'], true],
  [['bounced', 'delivered'], false],
])('knows that a list of %o says why in each row: %s', (outcomes, isSo) => {
  expect(alwaysSaysWhy(outcomes)).toBe(isSo);
});
