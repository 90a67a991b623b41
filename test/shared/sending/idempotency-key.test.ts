import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUsedKey } from '#shared/sending/idempotency-key';
import { type Send, sendStatuses } from '#shared/sending/send';
import { buildClaim } from '../../support/claim-builder.ts';
import { leaseMs, type SendGiven } from '../../support/send-builder.ts';

const now = 1_750_000_000_000;
const isOver = { claimedAt: now - leaseMs };
const isOpen = { claimedAt: now - 10_000 };
const failure = { attempt: 1, at: now - 5_000, reason: 'MessageRejected' };

const build = (overrides: SendGiven) => buildClaim({ fingerprint: 'this-request', ...overrides });

const asking = (fingerprint: string) => ({ fingerprint, apiKeyId: undefined });

describe('checkUsedKey', () => {
  const accepted = { status: 'sent', providerMessageId: 'message-1', sentAt: now - 9_000 } as const;
  const failed = { status: 'failed', attempts: [failure] } as const;
  const proven = { provenAt: now - 5_000 };

  it.each<[string, Partial<Send>, string, string]>([
    ['sent', { ...isOpen, ...accepted }, 'replay', 'key_reused'],
    ['sent, long ago', { ...isOver, ...accepted }, 'replay', 'key_reused'],
    ['suppressed', { ...isOpen, status: 'suppressed' }, 'replay', 'key_reused'],
    ['suppressed, long ago', { ...isOver, status: 'suppressed' }, 'replay', 'key_reused'],
    ['under way', isOpen, 'in_progress', 'key_reused'],
    ['under way, proven', { ...isOpen, ...proven }, 'in_progress', 'key_reused'],
    ['in doubt, its lease over', isOver, 'next_attempt', 'key_reused'],
    ['in doubt, proven', { ...isOver, ...proven }, 'replay', 'key_reused'],
    ['failed', { ...isOpen, ...failed }, 'next_attempt', 'next_attempt'],
    ['failed, long ago', { ...isOver, ...failed }, 'next_attempt', 'next_attempt'],
    ['failed, but proven', { ...isOpen, ...failed, ...proven }, 'replay', 'key_reused'],
    ['held, its lease open', { ...isOpen, attempts: [failure] }, 'in_progress', 'key_reused'],
    ['held, its lease over', { ...isOver, attempts: [failure] }, 'next_attempt', 'next_attempt'],
    [
      'held, its lease over, but proven',
      { ...isOver, attempts: [failure], ...proven },
      'replay',
      'key_reused',
    ],
    [
      'taken over and in doubt again, its lease over',
      { ...isOver, attempt: 2, attempts: [{ ...failure, reason: 'Unanswered' }] },
      'next_attempt',
      'key_reused',
    ],
  ])(
    'says, of a send that is %s, %3$s to the same request, and %4$s to another',
    (_state, ...row) => {
      const [overrides, same, other] = row;
      const send = build(overrides);

      expect(checkUsedKey(send, asking('this-request'), now).kind).toBe(same);
      expect(checkUsedKey(send, asking('another-request'), now).kind).toBe(other);
    },
  );

  it('replays the first answer', () => {
    const suppressedRecipients = [{ email: 'bob@example.com', reason: 'bounce' }];
    const send = build({ ...accepted, suppressedRecipients, missingVariables: ['name'] });

    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({
      kind: 'replay',
      response: {
        sendId: send.id,
        status: 'sent',
        messageId: 'message-1',
        suppressedRecipients,
        missingVariables: ['name'],
      },
    });
  });

  it('replays a send that was proven as sent, though its message id is not known', () => {
    const send = build({ ...isOver, ...proven });

    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'sent' },
    });
  });

  it('tells a duplicate to come back in a second while the attempt may still run', () => {
    const send = build({ claimedAt: now - 29_999 });

    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: now + 1_000,
    });
  });

  it('tells a retry to wait for the end of the lease when the attempt can no longer run', () => {
    const send = build({ claimedAt: now - 30_000 });

    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: send.leaseExpiresAt,
    });
  });

  it('never lets a duplicate wait longer than the lease', () => {
    const send = build({ claimedAt: now, leaseExpiresAt: now + 200 });

    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({
      kind: 'in_progress',
      retryAt: now + 200,
    });
  });

  it('lets a retry make the next attempt from the moment the lease ends', () => {
    const send = build({ leaseExpiresAt: now });

    expect(checkUsedKey(send, asking('this-request'), now - 1).kind).toBe('in_progress');
    expect(checkUsedKey(send, asking('this-request'), now)).toEqual({ kind: 'next_attempt' });
  });

  it('never sends again what SES is known to have taken, or what may be under way', () => {
    fc.assert(
      fc.property(anyState, fc.boolean(), (state, isSameRequest) => {
        const send = build(state);
        const { kind } = checkUsedKey(
          send,
          asking(isSameRequest ? 'this-request' : 'another'),
          now,
        );

        const isTaken = send.status === 'sent' || send.provenAt !== undefined;
        const isUnderWay = send.status === 'sending' && now < send.leaseExpiresAt;
        if (isTaken || isUnderWay) expect(kind).not.toBe('next_attempt');
        if (!isSameRequest) expect(['key_reused', 'next_attempt']).toContain(kind);
      }),
    );
  });
});

/** A send that was made some time within two leases of now, in any state. */
const anyState: fc.Arbitrary<SendGiven> = fc
  .record({
    status: fc.constantFrom(...sendStatuses),
    claimedAt: fc.integer({ min: now - 2 * leaseMs, max: now }),
    isProven: fc.boolean(),
  })
  .map(({ status, claimedAt, isProven }) => ({
    status,
    claimedAt,
    ...(status === 'failed' && { attempts: [failure] }),
    ...(status === 'sent' && { providerMessageId: 'message-1', sentAt: claimedAt }),
    ...(isProven && status !== 'sent' && { provenAt: claimedAt }),
  }));
