import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suppressionReasons } from '#shared/contacts/contact';
import { causeOf } from '#shared/send-history/causes';
import { type Outcome, outcomes } from '#shared/send-history/outcome';
import {
  documentedCauses,
  verdictCodes,
  verdictOf,
  verdictOfSuppression,
} from '#shared/send-history/verdict';

/** Amazon SES developer guide: "Bounce types", `delayType`, and our own names of SES's decisions. */
const reasons = [
  ...['Permanent/General', 'Permanent/NoEmail', 'Permanent/Suppressed', 'provider_suppressed'],
  ...['address_guess', 'Transient/General', 'Transient/MailboxFull', 'Transient/MessageTooLarge'],
  ...['Transient/ContentRejected', 'Transient/AttachmentRejected', 'Undetermined/Undetermined'],
  ...['Transient/CustomTimeoutExceeded', 'InternalFailure', 'General', 'MailboxFull'],
  ...['SpamDetected', 'RecipientServerError', 'IPFailure', 'TransientCommunicationFailure'],
  ...['BYOIPHostNameLookupUnavailable', 'Undetermined', 'SendingDeferral', 'bounce', 'complaint'],
  ...['manual', 'unsubscribe', 'unsubscribed_category', 'abuse', 'TemplateUnusable', 'Reject'],
];

const told = fc.record({
  outcome: fc.constantFrom<Outcome>(...outcomes),
  reason: fc.option(fc.oneof(fc.constantFrom(...reasons), fc.string()), { nil: undefined }),
  diagnostic: fc.option(
    fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom(4, 5),
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 0, max: 999 }),
        )
        .map(
          ([kind, subject, detail]) => `smtp; ${kind}50 ${kind}.${subject}.${detail} no - gsmtp`,
        ),
    ),
    { nil: undefined },
  ),
  email: fc.option(fc.oneof(fc.emailAddress(), fc.string(), fc.constant('erased')), {
    nil: undefined,
  }),
  isPossible: fc.boolean(),
  isShared: fc.boolean(),
});

describe('a verdict', () => {
  it('is a sentence of at most 160 characters on one line, which holds its why', () => {
    fc.assert(
      fc.property(told, (given) => {
        const { code, sentence, why = '' } = verdictOf(given);

        expect(verdictCodes).toContain(code);
        expect(sentence.length).toBeLessThanOrEqual(160);
        expect(sentence).toMatch(/^[A-Z][^.]*(?:\.[^ ][^.]*)*$/);
        if (code !== 'complained' && !sentence.includes('(')) expect(sentence).toContain(why);
      }),
    );
  });

  it('never advises to try again what failed for good', () => {
    fc.assert(
      fc.property(told, (given) => {
        const { next = '' } = verdictOf({ ...given, outcome: 'bounced' });

        expect(next).not.toMatch(/\bagain\b|\bretry\b|keeps trying/i);
        expect(next).not.toBe('');
      }),
    );
  });

  it('never advises to act on an email that SES is still trying to deliver as if it had failed', () => {
    fc.assert(
      fc.property(told, (given) => {
        expect(verdictOf({ ...given, outcome: 'delayed' }).next).toContain('keeps trying');
      }),
    );
  });

  it('never repeats a reply, which may name a person', () => {
    const reply = 'smtp; 550 5.1.1 <zoe.secret@example.com> unknown';
    const verdict = verdictOf({
      outcome: 'bounced',
      reason: 'Permanent/General',
      diagnostic: reply,
    });

    expect(JSON.stringify(verdict)).not.toContain('secret');
  });

  it('names no receiver by text that isn’t a domain', () => {
    const email = 'a@b\r\nBcc: c';

    expect(verdictOf({ outcome: 'bounced', diagnostic: '550 5.1.1 no', email }).sentence).toContain(
      'the recipient’s server says',
    );
  });

  it.each([
    ['MessageRejected', 'ses_refused', /\(MessageRejected\)$/],
    ['not_accepted', 'not_accepted', /never accepted it$/],
    ['AttachmentUnavailable', 'attachment_unavailable', /couldn’t be loaded$/],
    [undefined, 'ses_refused', /refused it$/],
  ])('of a failure for %s is %s', (reason, code, sentence) => {
    const verdict = verdictOf({ outcome: 'failed', reason });

    expect(verdict).toMatchObject({ code, sentence: expect.stringMatching(sentence) });
  });

  // RFC 5965 §3.5 and RFC 6591: the types that SES reports.
  it.each([
    ['abuse', /pressed “spam”/],
    ['auth-failure', /couldn’t tell that it’s yours/],
    ['fraud', /reported it as fraud/],
    ['virus', /virus/],
  ])('of a complaint of the kind %s says why', (reason, why) => {
    expect(verdictOf({ outcome: 'complained', reason }).why).toMatch(why);
  });
});

describe('the cause in a server’s reply', () => {
  it.each([
    ['smtp; 550 5.1.1 user unknown', 'no_such_mailbox', undefined],
    ['550-5.7.26 This mail is unauthenticated', 'sender_not_authenticated', undefined],
    ['552 5.2.2 over quota', 'mailbox_full', undefined],
    ['5.7.999 local rule', 'refused_by_rules', undefined],
    [
      'smtp; 550-5.7.26 The sender is unauthenticated. - gsmtp',
      'sender_not_authenticated',
      'Gmail',
    ],
    [
      'smtp; 421 4.7.28 Gmail has detected an unusual rate of unsolicited mail. https://support.google.com/mail/answer/81126',
      'sender_limited',
      'Gmail',
    ],
    [
      '421-4.7.0 unusual rate of unsolicited mail originating from your IP',
      'sender_limited',
      'Gmail',
    ],
    ['550 5.2.1 The mailbox is disabled', 'mailbox_disabled', undefined],
    ['smtp; 450 4.2.1 is receiving mail at a rate that prevents - gsmtp', 'mailbox_busy', 'Gmail'],
    ['550 5.1.1 The account does not exist - gsmtp', 'no_such_mailbox', 'Gmail'],
    [
      'smtp; 550 5.7.1 messages from [192.0.2.1] weren’t sent (S3150).',
      'ip_address_blocked',
      'Outlook',
    ],
    [
      'smtp; 550 5.7.1 part of their network is on our block list (S3140).',
      'ip_address_blocked',
      'Outlook',
    ],
    ['smtp; 550 5.7.515 Access denied', 'sender_not_authenticated', 'Outlook'],
    ['smtp; 421 4.7.0 [TSS04] temporarily deferred', 'ip_address_deferred', 'Yahoo'],
    [
      'smtp; 550 5.1.1 <a@b.example>: unauthorized sender',
      'sender_not_registered',
      'Apple’s private relay',
    ],
    ['550 no such user', 'unexplained', undefined],
    ['dns; 10.5.1.1.7', 'unexplained', undefined],
  ])('%s', (diagnostic, code, receiver) => {
    const cause = causeOf({ reason: 'Permanent/General', diagnostic });

    expect([cause.code, cause.receiver?.name]).toEqual([code, receiver]);
  });

  it('is never read from an IP address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(causeOf({ diagnostic: `421 ${address} closes the connection` }).code).toBe(
          'unexplained',
        );
      }),
    );
  });

  // RFC 3463 §3: subjects 1 to 7, each detail with a meaning of its own or that of its subject.
  it('with a status of RFC 3463 is always known', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 999 }),
        (subject, detail) => {
          expect(causeOf({ diagnostic: `550 5.${subject}.${detail} no` }).code).not.toBe(
            'unexplained',
          );
        },
      ),
    );
  });

  it('of a big receiver links a page of its own over HTTPS', () => {
    const { receiver } = causeOf({ diagnostic: '550 5.7.1 (S3150)' });

    expect(receiver?.page).toMatch(/^https:\/\/sendersupport\.olc\.protection\.outlook\.com\//);
  });
});

describe('the verdict of a suppression', () => {
  it('is a sentence of at most 160 characters, which holds its why', () => {
    fc.assert(
      fc.property(
        told,
        fc.constantFrom(...suppressionReasons),
        fc.constantFrom(true as const, undefined),
        ({ diagnostic, email }, reason, possible) => {
          const { sentence, why = '' } = verdictOfSuppression({
            ...{ reason, diagnostic, email },
            possible,
          });

          expect(sentence.length).toBeLessThanOrEqual(160);
          expect(sentence).toContain(why);
        },
      ),
    );
  });

  it.each([
    [
      { reason: 'bounce', diagnostic: '550 5.1.1 unknown', email: 'ann@gone.example' },
      'No email goes out: an earlier email bounced, as gone.example says this mailbox doesn’t exist',
    ],
    [{ reason: 'bounce' }, 'No email goes out: an earlier email bounced'],
    [
      { reason: 'complaint', diagnostic: 'abuse' },
      'No email goes out: the person marked an earlier email as spam (the reader pressed “spam”)',
    ],
    [
      { reason: 'complaint', possible: true },
      'Only transactional email goes out: one of several recipients marked an email as spam, possibly this one',
    ],
    [
      { reason: 'manual', diagnostic: 'by phone' },
      'No email goes out: your team suppressed the address',
    ],
    [{ reason: 'unsubscribe' }, 'Only transactional email goes out: the person unsubscribed'],
  ] as const)('of %o', (suppression, sentence) => {
    expect(verdictOfSuppression(suppression).sentence).toBe(sentence);
  });
});

it('documents each code but those of emails that fare well', () => {
  const documented = documentedCauses().map(({ code }) => code);

  expect(new Set(documented).size).toBe(documented.length);
  expect(verdictCodes).toEqual(expect.arrayContaining(documented));
});
