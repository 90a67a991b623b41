import { describe, expect, it } from 'vitest';
import type { Event } from '#shared/events/event';
import {
  explainFor,
  explainRecipients,
  explainSend,
  explainTimeline,
  outcomeFor,
} from '#shared/send-history/explain-send';
import type { Send } from '#shared/sending/send';
import { buildSend } from '../../support/send-builder.ts';

const now = 1_800_000_000_000;
const ann = 'ann@example.com';
const event = (type: Event['type'], given: Partial<Event> = {}): Event => ({
  type,
  ts: 1,
  ...given,
});
const explain = (send: Partial<Send>, events: readonly Event[] = []) =>
  explainFor({ send: buildSend({ toEmail: ann, ...send }), events, identity: ann }, now);
const bounced = (reason: string, diagnostic: string, email = ann) =>
  event('bounced', { reason, recipients: [{ email, diagnostic }] });

describe('the explanation for one recipient', () => {
  const refusal = { attempt: 1, at: 1, reason: 'MessageRejected' };
  const held = { attempt: 1, at: 1, reason: 'TemplateUnusable' };
  const blocked = { email: ann, reason: 'bounce' };
  const bensBlock = { email: 'ben@example.com', reason: 'bounce' };

  it.each<[string, Partial<Send>, readonly Event[], RegExp]>([
    ['sending', { status: 'sending', leaseExpiresAt: now + 1 }, [], /^Being sent/],
    ['not_accepted', { status: 'sending' }, [], /never accepted it/],
    ['held_up_by_template', { status: 'queued', attempts: [held] }, [], /template no longer fits/],
    [
      'suppressed_bounce',
      { status: 'suppressed', suppressedRecipients: [blocked] },
      [],
      /^Not sent: an earlier email/,
    ],
    [
      'suppressed',
      {
        ...{ status: 'suppressed', toEmail: 'ben@example.com', cc: [ann] },
        suppressedRecipients: [bensBlock],
      },
      [],
      /everyone in “to” is suppressed$/,
    ],
    [
      'suppressed_bounce',
      {
        ...{ status: 'sent', toEmail: 'ben@example.com', cc: [ann] },
        suppressedRecipients: [blocked],
      },
      [event('delivered')],
      /^Not sent/,
    ],
    ['canceled', { status: 'canceled', suppressedRecipients: [blocked] }, [], /canceled/],
    ['ses_refused', { status: 'failed', attempts: [refusal] }, [], /\(MessageRejected\)$/],
    ['awaiting_answer', { status: 'sent' }, [], /hasn’t answered yet/],
    ['delivered', { status: 'sent' }, [event('delivered')], /accepted it$/],
    [
      'delivered',
      { status: 'sent' },
      [event('delivered'), event('opened', { machine: true })],
      /accepted it$/,
    ],
    [
      'opened',
      { status: 'sent' },
      [event('delivered'), event('opened', { machine: false })],
      /opened/,
    ],
    ['complained', { status: 'sent' }, [event('delivered'), event('complained')], /marked as spam/],
    [
      'no_such_mailbox',
      { status: 'sent' },
      [event('delivered'), bounced('Permanent/General', 'smtp; 550 5.1.1 nope')],
      /^Not delivered: example\.com says this mailbox doesn’t exist$/,
    ],
    [
      'possibly_complained',
      { status: 'sent' },
      [event('complained', { recipients: [{ email: ann }, { email: 'bo@example.com' }] })],
      /one of its recipients/,
    ],
    [
      'delivered_to_some',
      { status: 'sent', cc: ['ben@example.com'] },
      [event('opened', { machine: false })],
      /No bounce so far/,
    ],
  ])('is %s: %o', (code, send, events, sentence) => {
    expect(explain(send, events)).toMatchObject({
      code,
      sentence: expect.stringMatching(sentence),
    });
  });

  it('has the reply of the recipient’s own server', () => {
    const recipients = [
      { email: 'ben@example.org', diagnostic: '552 5.2.2 full' },
      { email: ann, diagnostic: '550 5.1.1 unknown' },
    ];
    const both = event('bounced', { reason: 'Permanent/General', recipients });

    expect(explain({ status: 'sent', cc: ['ben@example.org'] }, [both]).code).toBe(
      'no_such_mailbox',
    );
  });

  it.each([
    ['sent', {}, []],
    // It belongs to another recipient, as this one's own events don't have it.
    ['sent', { firstBounceAt: 1, deliveredAt: 1 }, []],
    ['delivered', { firstBounceAt: 1 }, [event('delivered')]],
    ['bounced', {}, [event('delivered'), bounced('Permanent/General', '550')]],
    ['soft_bounced', {}, [bounced('Transient/General', '450')]],
    ['suppressed', { toEmail: 'ben@example.com', suppressedRecipients: [blocked] }, []],
    ['canceled', { status: 'canceled' }, []],
  ] satisfies [string, Partial<Send>, Event[]][])(
    'is of the outcome %s: %o',
    (outcome, send, events) => {
      const history = { send: buildSend({ status: 'sent', ...send }), events };

      expect(outcomeFor({ ...history, identity: ann }, now)).toBe(outcome);
    },
  );
});

describe('the explanation of missing opens', () => {
  it.each([
    [{ tracking: { opens: false } }, 'its request said so'],
    [{ untracked: { opens: 'policy' } }, 'its policy says so'],
    [{ untracked: { opens: 'organization' } }, 'the organization’s settings say so'],
    // The email's own setting wins.
    [{ tracking: { opens: false }, untracked: { opens: 'policy' } }, 'its request said so'],
  ] satisfies [Partial<Send>, string][])('gives the reason: %o', (send, why) => {
    expect(explain({ status: 'sent', ...send }, [event('delivered')]).next).toMatch(
      new RegExp(`isn’t tracked: ${why}\\.$`),
    );
  });

  it('is absent where opens are tracked', () => {
    const { next } = explain({ status: 'sent', untracked: { clicks: 'policy' } }, [
      event('delivered'),
    ]);

    expect(next).not.toContain('tracked');
  });
});

describe('the explanation of an email as a whole', () => {
  const bounce = bounced('Permanent/General', 'smtp; 550 5.1.1 user unknown', 'ben@gone.example');
  const send = buildSend({
    status: 'sent',
    toEmail: ann,
    cc: ['ben@gone.example'],
    firstBounceAt: 2,
  });

  it('is the same with its timeline and with what a list knows of it', () => {
    const [recipient] = bounce.recipients ?? [];

    const inList = explainSend(send, { reason: bounce.reason, ...recipient }, now);

    expect(explainTimeline(send, [event('delivered'), bounce], now)).toEqual(inList);
    expect(inList.sentence).toBe('Not delivered: gone.example says this mailbox doesn’t exist');
  });

  it('is told for each recipient', () => {
    expect(
      explainRecipients(send, [event('delivered'), bounce], now).map(
        ({ email, field, outcome, verdict }) => [email, field, outcome, verdict.code],
      ),
    ).toEqual([
      [ann, 'to', 'delivered', 'delivered_to_some'],
      ['ben@gone.example', 'cc', 'bounced', 'no_such_mailbox'],
    ]);
  });

  it('says nothing of whom it was erased', () => {
    const erased = buildSend({ ...send, toEmail: 'erased', moreTo: [], firstBounceAt: 2 });
    const unnamed = bounced('Permanent/General', '550 5.1.1 <erased>', 'erased');

    expect(explainRecipients(erased, [unnamed], now).map(({ email }) => email)).toEqual([
      'ben@gone.example',
    ]);
    expect(explainTimeline(erased, [unnamed], now).sentence).toBe(
      'Not delivered: the recipient’s server says this mailbox doesn’t exist',
    );
  });
});
