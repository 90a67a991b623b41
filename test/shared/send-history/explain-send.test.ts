import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import { explainDiagnostic } from '#shared/send-history/explain-diagnostic';
import { explainSend, outcomeFor } from '#shared/send-history/explain-send';
import type { Send } from '#shared/sending/send';
import { buildSend } from '../../support/send-builder.ts';

const now = 1_800_000_000_000;
const event = (type: Event['type'], given: Partial<Event> = {}): Event => ({
  type,
  ts: 1,
  ...given,
});
const explain = (send: Partial<Send>, events: readonly Event[] = []) =>
  explainSend({ send: buildSend(send), events, identity: 'ann@example.com' }, now);
const bounced = (reason: string, diagnostic: string) =>
  event('bounced', { reason, recipients: [{ email: 'ann@example.com', diagnostic }] });

describe('the explanation of an email', () => {
  const refusal = { attempt: 1, at: 1, reason: 'MessageRejected' };
  const blocked = { email: 'ann@example.com', reason: 'bounce' };
  const notSent: [Partial<Send>, RegExp][] = [
    [{ status: 'sending', leaseExpiresAt: now + 1 }, /being sent/],
    [{ status: 'sending' }, /never accepted it/],
    [{ status: 'suppressed', suppressedRecipients: [blocked] }, /suppressed \(bounce\)/],
    [
      {
        ...{ status: 'suppressed', toEmail: 'ben@example.com', cc: ['ann@example.com'] },
        suppressedRecipients: [{ email: 'ben@example.com', reason: 'bounce' }],
      },
      /everyone in `to` is suppressed\.$/,
    ],
    [
      { status: 'sent', toEmail: 'ben@example.com', suppressedRecipients: [blocked] },
      /not sent to this address.*\(bounce\)/,
    ],
    [{ status: 'failed', attempts: [refusal] }, /rejected it \(MessageRejected\)/],
  ];

  it.each(notSent)("covers one that wasn't sent: %o", (send, words) => {
    expect(explain(send)).toMatch(words);
  });

  it.each([
    [[], /has not answered/],
    [[event('delivered')], /server accepted it/],
    [[event('delivered'), event('opened', { machine: true })], /server accepted it/],
    [[event('delivered'), event('opened', { machine: false })], /opened it/],
    [[event('delivered'), event('complained')], /marked it as spam/],
    [
      [event('delivered'), bounced('Permanent/General', 'smtp; 550 5.1.1 nope')],
      /permanently: there is no such mailbox\. The server replied: smtp; 550 5\.1\.1 nope/,
    ],
    [[bounced('Transient/MailboxFull', '452 4.2.2 full')], /temporarily: the mailbox is full/],
    [[bounced('provider_suppressed', 'Amazon SES has suppressed')], /its own suppression list/],
    [
      [event('bounced', { reason: 'provider_suppressed' })],
      /its own suppression list.*not suppressed here/,
    ],
    [[event('bounced', { reason: 'address_guess' })], /guess\. The address is not suppressed here/],
    [
      [
        event('complained', {
          recipients: [{ email: 'ann@example.com' }, { email: 'bo@example.com' }],
        }),
      ],
      /one of its recipients.*not say which one/,
    ],
    [[event('bounced', { reason: 'Permanent/General' })], /^It bounced permanently\.$/],
  ])('covers one that was sent: %o', (events, words) => {
    expect(explain({ status: 'sent' }, events)).toMatch(words);
  });
});

describe('the explanation for one recipient', () => {
  const blocked = [{ email: 'ann@example.com', reason: 'bounce' }];

  it.each([
    ['sent', {}, []],
    // It belongs to another recipient, as this one's own events don't have it.
    ['sent', { firstBounceAt: 1, deliveredAt: 1 }, []],
    ['delivered', { firstBounceAt: 1 }, [event('delivered')]],
    ['bounced', {}, [event('delivered'), bounced('Permanent/General', '550')]],
    ['soft_bounced', {}, [bounced('Transient/General', '450')]],
    ['suppressed', { toEmail: 'ben@example.com', suppressedRecipients: blocked }, []],
    ['canceled', { status: 'canceled' }, []],
  ] satisfies [string, Partial<Send>, Event[]][])('is %s: %o', (outcome, send, events) => {
    const history = { send: buildSend({ status: 'sent', ...send }), events };
    expect(outcomeFor({ ...history, identity: 'ann@example.com' }, now)).toBe(outcome);
  });
});

describe('the explanation of missing opens', () => {
  it.each([
    [{ tracking: { opens: false } }, 'its request said so'],
    [{ untracked: { opens: 'policy' } }, 'its policy says so'],
    [{ untracked: { opens: 'organization' } }, 'the organization’s settings say so'],
    // The email's own setting wins.
    [{ tracking: { opens: false }, untracked: { opens: 'policy' } }, 'its request said so'],
  ] satisfies [Partial<Send>, string][])('gives the reason: %o', (send, why) => {
    expect(explain({ status: 'sent', ...send }, [event('delivered')])).toMatch(
      new RegExp(`isn’t tracked: ${why}\\.$`),
    );
  });

  it('is absent where opens are tracked', () => {
    const explanation = explain({ status: 'sent', untracked: { clicks: 'policy' } }, [
      event('delivered'),
    ]);

    expect(explanation).not.toContain('tracked');
  });
});

describe("a remote server's reply", () => {
  it.each([
    ['smtp; 550 5.1.1 user unknown', 'there is no such mailbox'],
    ['550-5.7.26 This mail is unauthenticated', 'the email passed neither SPF nor DKIM'],
    ['552 5.2.2 over quota', 'the mailbox is full'],
    ['5.7.999 local rule', "the recipient's server refuses it because of its rules"],
    [
      'smtp; 550-5.7.26 Your email has been blocked because the sender is unauthenticated. - gsmtp',
      'Gmail could not verify the sender: neither SPF nor DKIM passed, or DMARC did not',
    ],
    [
      'smtp; 421 4.7.28 Gmail has detected an unusual rate of unsolicited mail. https://support.google.com/mail/answer/81126',
      'Gmail limits the sender, as unusually much of its email looks unsolicited',
    ],
    ['550 5.2.1 The mailbox is disabled', 'the mailbox is disabled'],
    [
      'smtp; 450 4.2.1 is receiving mail at a rate that prevents additional messages - gsmtp',
      'the person is getting more email at the moment than Gmail takes',
    ],
    [
      '550 5.1.1 The email account that you tried to reach does not exist - gsmtp',
      'there is no such mailbox',
    ],
    [
      'smtp; 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren’t sent. Part of their network is on our block list (S3150).',
      'Outlook blocks the IP address that Amazon SES sent from: ask AWS Support',
    ],
    [
      'smtp; 550 5.7.515 Access denied, sending domain does not meet the required authentication level',
      'Outlook wants SPF, DKIM and DMARC to pass for the domain in From',
    ],
    [
      'smtp; 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints',
      'Yahoo defers email from this IP address of Amazon SES, because of its volume or of complaints',
    ],
    [
      'smtp; 550 5.1.1 <ann@bounce.example.com>: unauthorized sender',
      'Apple’s private relay takes email only from what is registered in the app’s Apple developer account',
    ],
    ['550 no such user', undefined],
    ['dns; 10.5.1.1.7', undefined],
  ])('%s', (diagnostic, words) => {
    expect(explainDiagnostic(diagnostic)).toBe(words);
  });
});
