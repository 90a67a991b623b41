import { describe, expect, it } from 'vitest';
import { acceptancesOf, messageOf } from '#shared/send-history/message';
import {
  type Acceptance,
  classifyAcceptance,
  isTakeover,
  mayEarlierBeProven,
  type Send,
  stateAt,
} from '#shared/sending/send';
import { buildSend, leaseMs } from '../../support/send-builder.ts';

const now = 1_750_000_000_000;

const failure = { attempt: 1, at: now, reason: 'MessageRejected' };
const message = { providerMessageId: 'message-1', sentAt: now - 9_000 };
/** SES took the message, then rejected its content. */
const rejection = { ...failure, reason: 'Bad content', ...message };

describe('stateAt', () => {
  const underWay = { claimedAt: now - leaseMs + 1 };
  const leaseOver = { claimedAt: now - leaseMs };
  const failed = { attempts: [failure, { ...failure, reason: 'Throttled' }] };

  it.each<[string, Partial<Send>, ReturnType<typeof stateAt>]>([
    ['sent', { ...leaseOver, status: 'sent', ...message }, { status: 'sent' }],
    ['suppressed', { ...leaseOver, status: 'suppressed' }, { status: 'suppressed' }],
    ['under way', underWay, { status: 'sending' }],
    ['under way and proven', { ...underWay, provenAt: now }, { status: 'sending' }],
    ['in doubt and proven', { ...leaseOver, provenAt: now }, { status: 'sent' }],
    [
      'in doubt for good, as not accepted',
      leaseOver,
      { status: 'failed', failureReason: 'not_accepted' },
    ],
    [
      'held for good, with the reason of its last attempt',
      { ...leaseOver, attempts: [failure] },
      { status: 'failed', failureReason: failure.reason },
    ],
    [
      'taken over and in doubt for good, as not accepted',
      { ...leaseOver, attempt: 2, attempts: [failure] },
      { status: 'failed', failureReason: 'not_accepted' },
    ],
    [
      'failed, with the last reason',
      { ...underWay, ...failed, status: 'failed' },
      { status: 'failed', failureReason: 'Throttled' },
    ],
    [
      'failed, but an earlier attempt is proven',
      { ...underWay, ...failed, status: 'failed', provenAt: now },
      { status: 'sent' },
    ],
    [
      'rejected after it was accepted',
      { status: 'failed', attempts: [rejection], ...message },
      { status: 'failed', failureReason: 'Bad content' },
    ],
  ])('shows a send that is %s', (_what, overrides, state) => {
    expect(stateAt(buildSend(overrides), now)).toEqual(state);
  });
});

describe('isTakeover', () => {
  it('distinguishes an attempt begun in doubt from one that inherits it', () => {
    const leaseExpiresAt = now + leaseMs;

    expect(isTakeover(buildSend({ leaseExpiresAt, doubtUntil: leaseExpiresAt }))).toBe(true);
    expect(isTakeover(buildSend({ leaseExpiresAt, doubtUntil: now + 1 }))).toBe(false);
    expect(isTakeover(buildSend({ leaseExpiresAt }))).toBe(false);
  });
});

describe('mayEarlierBeProven', () => {
  it('ends with the lease of the attempt that took over', () => {
    const send = buildSend({ doubtUntil: now });

    expect(mayEarlierBeProven(send, now - 1)).toBe(true);
    expect(mayEarlierBeProven(send, now)).toBe(false);
    expect(mayEarlierBeProven(buildSend(), now)).toBe(false);
  });
});

describe('classifyAcceptance', () => {
  it.each<[string, Partial<Send>, ReturnType<typeof classifyAcceptance>]>([
    ['the message of a send under way', {}, 'first'],
    ['the message that settled a send', { status: 'sent', ...message }, 'known'],
    ['another message of a sent send', { status: 'sent', providerMessageId: 'm-0' }, 'further'],
    ['a late message of a suppressed send', { status: 'suppressed' }, 'first'],
    ['a late message of a failed send', { status: 'failed', attempts: [failure] }, 'first'],
    [
      'the message that was rejected',
      { status: 'failed', ...message, attempts: [rejection] },
      'known',
    ],
    ['the message that was rejected before the next attempt', { attempts: [rejection] }, 'known'],
    [
      'another message than the one that was rejected',
      {
        status: 'failed',
        providerMessageId: 'm-0',
        attempts: [{ ...rejection, providerMessageId: 'm-0' }],
      },
      'first',
    ],
    ['the message of a send that was proven', { provenAt: now }, 'first'],
  ])('takes %s', (_what, overrides, verdict) => {
    expect(classifyAcceptance(buildSend(overrides), 'message-1')).toBe(verdict);
  });
});

describe('acceptancesOf', () => {
  it.each<[string, Partial<Send>, readonly Acceptance[]]>([
    ['no message of a send under way', {}, []],
    ['no message of an attempt that failed', { status: 'failed', attempts: [failure] }, []],
    [
      'the message of a sent one',
      { status: 'sent', ...message },
      [{ providerMessageId: 'message-1', at: message.sentAt }],
    ],
    [
      'a rejected message once',
      { status: 'failed', ...message, attempts: [rejection] },
      [{ providerMessageId: 'message-1', at: message.sentAt }],
    ],
    [
      'a rejected message and that of the next attempt',
      { status: 'sent', providerMessageId: 'message-2', sentAt: now, attempts: [rejection] },
      [
        { providerMessageId: 'message-1', at: message.sentAt },
        { providerMessageId: 'message-2', at: now },
      ],
    ],
  ])('returns %s', (_what, overrides, acceptances) => {
    expect(acceptancesOf(buildSend(overrides))).toEqual(acceptances);
  });
});

describe('messageOf', () => {
  it("has the timeline's fields", () => {
    const send = buildSend();

    expect(messageOf(send, { providerMessageId: 'message-1', at: now })).toEqual({
      sendId: send.id,
      provider: 'ses',
      fromEmail: send.fromEmail,
      toEmail: send.toEmail,
      feedbackId: send.feedbackId,
      providerMessageId: 'message-1',
      createdAt: now,
    });
  });
});
