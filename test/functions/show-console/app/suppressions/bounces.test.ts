import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bounceWords,
  complaintWords,
  replyWords,
} from '../../../../../functions/show-console/app/suppressions/bounces.ts';

describe('a bounce', () => {
  // Every type and subtype of the Amazon SES developer guide, "Bounce types".
  it.each([
    ['Permanent/General', 'Hard bounce', /^The address is suppressed\.$/],
    ['Permanent/NoEmail', 'Hard bounce', /no such address\. The address is suppressed/],
    [
      'provider_suppressed',
      'Dropped by Amazon SES',
      /one of SES’s own lists\. It isn’t blocked here/,
    ],
    ['address_guess', 'Dropped by Amazon SES', /considers.*It isn’t blocked here/],
    ['Transient/General', 'Soft bounce', /out of office.*A later email may arrive/],
    ['Transient/MailboxFull', 'Soft bounce', /mailbox is full\. A later/],
    ['Transient/MessageTooLarge', 'Soft bounce', /larger than the server accepts\. A later/],
    ['Transient/ContentRejected', 'Soft bounce', /rejects the content of the email\. A later/],
    ['Transient/AttachmentRejected', 'Soft bounce', /attachment of the email\. A later/],
    ['Transient/CustomTimeoutExceeded', 'Soft bounce', /deliver it in time\. A later/],
    ['Undetermined/Undetermined', 'Bounced', /couldn’t find out why/],
  ])('%s', (reason, title, meaning) => {
    const words = bounceWords({ reason });

    expect(words.title).toBe(title);
    expect(words.meaning).toMatch(meaning);
  });

  it('of a kind that SES adds later is named by its type', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z][A-Za-z]{25}$/), (subtype) => {
        expect(bounceWords({ reason: `Permanent/${subtype}` }).title).toBe('Hard bounce');
        expect(bounceWords({ reason: `Transient/${subtype}` }).title).toBe('Soft bounce');
      }),
    );
  });

  it('says whole sentences, whatever its reason', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), (reason) => {
        const { title, meaning } = bounceWords(reason === undefined ? {} : { reason });

        expect(title).toMatch(/^[A-Z]/);
        expect(meaning).toMatch(/^[A-Z].*\.$/);
      }),
    );
  });
});

describe('the reply of a server', () => {
  it.each([
    ['smtp; 550 5.1.1 user unknown', 'The server says there is no such mailbox.'],
    ['smtp; 552 5.2.2 over quota', 'The server says the mailbox is full.'],
    ['smtp; 550 5.7.26 unauthenticated', 'The server says the email passed neither SPF nor DKIM.'],
    ['550 go away', undefined],
    [undefined, undefined],
  ])('%s', (reply, words) => {
    expect(replyWords(reply)).toBe(words);
  });

  // RFC 3463 §3: subjects 1 to 7, each detail with a meaning of its own or that of its subject.
  it('with an RFC 3463 status always has a meaning', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(4, 5),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 999 }),
        fc.stringMatching(/^[a-z ]*$/),
        (type, subject, detail, words) => {
          const status = `${type}.${subject}.${detail}`;

          expect(replyWords(`smtp; ${type}50 ${status} ${words}`)).toMatch(/^The server says/);
        },
      ),
    );
  });

  it('is never read from an IP address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(replyWords(`421 ${address} closes the connection`)).toBeUndefined();
      }),
    );
  });
});

describe('a complaint', () => {
  // RFC 5965 §3.5 and RFC 6591: the types that SES reports.
  it.each([
    ['abuse', /pressed “spam”/],
    ['auth-failure', /couldn’t tell that it’s yours/],
    ['fraud', /reported it as fraud/],
    ['other', /reported it/],
    ['virus', /virus/],
    ['a later one', /the reader reported it/],
    [undefined, /the reader reported it/],
  ])('%s', (reason, words) => {
    expect(complaintWords(reason)).toMatch(words);
  });

  it('from one of several recipients names none of them', () => {
    expect(complaintWords('abuse', true)).toMatch(
      /one of its recipients.*none of them gets bulk email/,
    );
  });
});
