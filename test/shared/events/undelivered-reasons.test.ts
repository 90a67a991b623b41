import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bounceKindOf,
  undeliveredReasonOf,
  undeliveredReasons,
} from '#shared/events/undelivered-reasons';

describe('the reason why an email did not arrive', () => {
  it.each([
    ['Permanent/NoEmail', '', 'no_such_mailbox'],
    ['Permanent/General', 'smtp; 550 5.1.1 user unknown', 'no_such_mailbox'],
    ['Permanent/General', 'smtp; 550 5.1.2 no such domain', 'no_such_domain'],
    ['Permanent/General', 'smtp; 550 5.2.1 mailbox disabled', 'mailbox_disabled'],
    ['Transient/MailboxFull', '', 'mailbox_full'],
    ['Transient/General', 'smtp; 452 4.2.2 over quota', 'mailbox_full'],
    ['Transient/General', '552 5.3.4 message too big', 'too_large'],
    ['Transient/General', '450-4.2.1 The user is receiving mail at a rate … gsmtp', 'server_busy'],
    ['Transient/General', '421 4.4.1 connection timed out', 'server_unreachable'],
    ['Transient/CustomTimeoutExceeded', '', 'server_unreachable'],
    ['Permanent/General', '550-5.7.26 unauthenticated … gsmtp', 'not_authenticated'],
    ['Permanent/General', '550 5.7.515 Access denied', 'not_authenticated'],
    ['Transient/General', '421 4.7.0 [TSS04] Messages from 192.0.2.1', 'taken_for_spam'],
    [
      'Permanent/General',
      '550 5.7.1 part of their network is on our block list (S3140)',
      'taken_for_spam',
    ],
    ['Permanent/General', '550 5.7.1 refused by our policy', 'refused_by_rules'],
    ['Transient/ContentRejected', '', 'content_refused'],
    ['Undetermined/Undetermined', '550 5.1.1 user unknown', 'undetermined'],
    ['provider_suppressed', '', 'provider_suppressed'],
    ['address_guess', '', 'address_guess'],
    ['Permanent/General', 'connected to 5.1.1.7', 'other'],
    ['Permanent/General', '', 'other'],
    [undefined, undefined, 'other'],
  ])('of %s, “%s”, is %s', (reason, diagnostic, expected) => {
    expect(undeliveredReasonOf(reason, diagnostic)).toBe(expected);
  });

  it('is one of a few words, whatever a server says', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (reason, diagnostic) => {
        expect(undeliveredReasons).toContain(undeliveredReasonOf(reason, diagnostic));
      }),
    );
  });

  it('tells the kind of a soft bounce', () => {
    expect(bounceKindOf(true, 'undetermined')).toBe('bounced_permanent');
    expect(bounceKindOf(false, 'undetermined')).toBe('bounced_undetermined');
    expect(bounceKindOf(false, undefined)).toBe('bounced_transient');
  });
});
