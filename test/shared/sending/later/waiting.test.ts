import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movedTo } from '#shared/sending/later/change-plan';
import { waitingClaim, wakeFor } from '#shared/sending/later/send-later';
import { refusedAttempt, workersAttempt } from '#shared/sending/later/send-waiting';
import {
  checkDue,
  isForWorkers,
  mayChangePlan,
  stateAfterFailure,
  type WorkersSend,
  withPatience,
} from '#shared/sending/later/waiting';
import { maxAttemptsKept, type Send, sendStatuses } from '#shared/sending/send';
import { expiryAfter } from '#shared/table/expiry';
import { dayMs } from '#shared/timing/day';
import { newNonce } from '#shared/tokens/resource-id';
import {
  asClaimed,
  asDue,
  asWaiting,
  buildSend,
  leaseMs,
  type SendGiven,
} from '../../../support/send-builder.ts';

const now = 1_750_000_000_000;
const patienceMs = 3_600_000;

const build = (overrides: SendGiven = {}): Send =>
  buildSend({
    status: 'scheduled',
    attempt: 0,
    claimedAt: now - 2 * leaseMs,
    giveUpAt: now + patienceMs,
    contentId: newNonce(),
    ...overrides,
  });

/** A send that is due now unless told. */
const buildDue = (overrides: SendGiven = {}): WorkersSend =>
  asDue(build({ dueAt: now, ...overrides }));

/** A worker's attempt under way. */
const underWay = (overrides: SendGiven = {}): WorkersSend =>
  buildDue({
    ...{ status: 'sending', attempt: 1, claimedAt: now - 1_000 },
    ...{ leaseExpiresAt: now - 1_000 + leaseMs, dueAt: now - 1_000 + leaseMs },
    ...overrides,
  });

const lost = { status: 'sending', attempt: 1, leaseExpiresAt: now } as const;

describe('checkDue', () => {
  it.each<[string, Partial<Send>, string]>([
    ['scheduled, due now', {}, 'attempt'],
    ['scheduled, due in a millisecond', { dueAt: now + 1 }, 'too_early'],
    ['queued, due', { status: 'queued' }, 'attempt'],
    ['queued, beyond its patience', { status: 'queued', giveUpAt: now }, 'attempt'],
    ['under way', { ...lost, leaseExpiresAt: now + 1, dueAt: now + 1 }, 'too_early'],
    [
      'under way, proven',
      { ...lost, leaseExpiresAt: now + 1, dueAt: now + 1, provenAt: 1 },
      'too_early',
    ],
    ['in doubt', lost, 'attempt'],
    ['in doubt, proven', { ...lost, provenAt: now - 1 }, 'release'],
    ['in doubt, beyond its patience', { ...lost, giveUpAt: now }, 'release'],
    ['in doubt, and expires soon', { ...lost, expiresAt: now / 1_000 + 300 }, 'release'],
    ['waiting, an earlier attempt proven', { status: 'queued', provenAt: now - 1 }, 'release'],
  ])('says whether a worker attempts a send that is %s', (_, overrides, verdict) => {
    expect(checkDue(buildDue(overrides), now)).toBe(verdict);
  });

  it.each(sendStatuses)('ignores a send that is %s and not for workers', (status) => {
    expect(isForWorkers(build({ status }))).toBe(false);
  });
});

describe('mayChangePlan', () => {
  it.each<[string, Partial<Send>, boolean]>([
    ['scheduled', {}, true],
    ['queued', { status: 'queued' }, true],
    ['waiting again, an earlier attempt provable', { doubtUntil: now + 1 }, false],
    ['waiting again, no earlier attempt provable any more', { doubtUntil: now }, true],
    ['waiting again, an earlier attempt proven', { provenAt: now - 1 }, false],
    ['under way', { status: 'sending' }, false],
    ['sent', { status: 'sent' }, false],
    ['suppressed', { status: 'suppressed' }, false],
    ['failed', { status: 'failed' }, false],
    ['canceled', { status: 'canceled' }, false],
  ])('says whether the plan may change: %s', (_, overrides, expected) => {
    expect(mayChangePlan(build(overrides), now)).toBe(expected);
  });
});

const passing = [
  'Throttled',
  'Unreachable',
  'organization_rate_limited',
  'daily_recipients_exhausted',
  'RequestUnreadable',
  'TemplateUnusable',
];

const slowed = 'organization_rate_limited';
const unreadable = 'RequestUnreadable';

describe('stateAfterFailure', () => {
  const { dueAt: _, ...ofRequest } = underWay();

  it.each<[string, Send, string, string]>([
    ...passing.map((reason): [string, Send, string, string] => [
      'a worker’s',
      underWay(),
      reason,
      'postponed',
    ]),
    ['a worker’s', underWay(), 'MessageRejected', 'failed'],
    ['a worker’s, its patience over', underWay({ giveUpAt: now }), 'Throttled', 'failed'],
    [
      'throttled, and expires soon',
      underWay({ expiresAt: now / 1_000 + 300 }),
      'Throttled',
      'failed',
    ],
    ['slowed down', underWay({ createdAt: now - 2 * dayMs + 300_000 }), slowed, 'postponed'],
    ['slowed down for two days', underWay({ createdAt: now - 2 * dayMs }), slowed, 'failed'],
    [
      'slowed down for a day',
      underWay({ createdAt: 0, dueSince: now - dayMs }),
      slowed,
      'postponed',
    ],
    ['unreadable', underWay({ giveUpAt: now }), unreadable, 'postponed'],
    ['unreadable for two days', underWay({ createdAt: now - 2 * dayMs }), unreadable, 'failed'],
    ['slowed down, wanted long ago', underWay({ sendAt: 0, dueSince: now }), slowed, 'postponed'],
    [
      'slowed down, asked for again',
      underWay({ createdAt: 0, dueSince: now }),
      slowed,
      'postponed',
    ],
    ['slowed down since', underWay({ dueSince: now - 2 * dayMs }), slowed, 'failed'],
    ['slowed down, and expires soon', underWay({ expiresAt: now / 1_000 + 300 }), slowed, 'failed'],
    ['a request’s', ofRequest, 'Throttled', 'failed'],
    ['a takeover', underWay({ doubtUntil: now + 1 }), 'Throttled', 'held'],
    ['a takeover', underWay({ doubtUntil: now + 1 }), 'MessageRejected', 'held'],
  ])('for an attempt that is %s (%#)', (_kind, send, reason, expected) => {
    expect(stateAfterFailure(send, reason, now).kind).toBe(expected);
  });

  it('pauses for half an hour and more when a template stays broken for hours', () => {
    const after = stateAfterFailure(underWay({ attempt: 20 }), 'TemplateUnusable', now);

    expect(after.kind === 'postponed' && after.dueAt - now).toBeGreaterThanOrEqual(1_800_000);
    expect(after.kind === 'postponed' && after.dueAt - now).toBeLessThanOrEqual(3_600_000);
  });

  it('pauses for 7.5 s to 5 min, the same for the same claim, and never beyond its patience', () => {
    const attempts = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(attempts, fc.integer({ min: 0, max: 600_000 }), (attempt, left) => {
        const send = underWay({ attempt, giveUpAt: now + left });

        const after = stateAfterFailure(send, 'Throttled', now);

        expect(stateAfterFailure(send, 'Throttled', now)).toEqual(after);
        if (after.kind === 'postponed') {
          expect(after.dueAt - now).toBeGreaterThanOrEqual(7_500);
          expect(after.dueAt - now).toBeLessThanOrEqual(Math.min(left, 300_000));
        } else expect(left).toBeLessThan(300_000);
      }),
    );
  });
});

describe('withPatience', () => {
  const patienceOf = (overrides: Partial<Send>) =>
    withPatience(build({ giveUpAt: now - 1, ...overrides }), now, patienceMs).giveUpAt;
  const failure = (reason: string) => ({ attempt: 1, at: now - 60_000, reason });

  it('starts with the first attempt, and again after the organization’s rate held one up', () => {
    const heldUp = { attempt: 1, attempts: [failure(slowed)] };

    expect(patienceOf({ attempt: 0 })).toBe(now + patienceMs);
    expect(patienceOf(heldUp)).toBe(now + patienceMs);
    expect(patienceOf({ attempt: 1, attempts: [failure(unreadable)] })).toBe(now + patienceMs);
    expect(patienceOf({ attempt: 0, giveUpAt: now + 2 * patienceMs })).toBe(now + 2 * patienceMs);
  });

  it('continues from what SES throttled', () => {
    expect(patienceOf({ attempt: 1, attempts: [failure('Throttled')] })).toBe(now - 1);
  });
});

describe('a worker’s attempt', () => {
  it('keeps what the request decided, and is due when its lease ends', () => {
    const existing = buildDue({ idempotencyKey: 'key-1', sendAt: now, isReadableById: false });
    const asOfNow = { fingerprint: 'as of now', subject: 'New words' };
    const isLonger = { expiresAt: existing.expiresAt + 600 };
    const candidate = buildSend({ claimedAt: now, ...asOfNow, ...isLonger });

    const { id, fingerprint, contentId, giveUpAt, expiresAt, createdAt } = existing;
    expect(workersAttempt(existing, candidate)).toMatchObject({
      ...{ id, fingerprint, contentId, giveUpAt, expiresAt, createdAt },
      ...{ idempotencyKey: 'key-1', sendAt: now, isReadableById: false, subject: 'New words' },
      ...{ status: 'sending', attempt: 1, attempts: [], claimId: candidate.claimId },
      dueAt: now + leaseMs,
    });
  });

  it('is a takeover only if the last one is in doubt', () => {
    const candidate = buildSend({ claimedAt: now });
    const waits = workersAttempt(buildDue({ status: 'queued', attempt: 3 }), candidate);
    const isInDoubt = workersAttempt(buildDue(lost), candidate);

    expect(waits.doubtUntil).toBeUndefined();
    expect(isInDoubt).toMatchObject({ attempt: 2, doubtUntil: now + leaseMs });
    expect(isInDoubt.attempts).toMatchObject([{ attempt: 1, reason: 'Unanswered' }]);
  });

  it('ends suppressed and out of the index', () => {
    const suppressed = asClaimed(buildSend({ claimedAt: now, status: 'suppressed' }));

    const next = workersAttempt(buildDue(), suppressed);

    expect(next.status).toBe('suppressed');
    expect(next).not.toHaveProperty('dueAt');
  });
});

describe('refusedAttempt', () => {
  const refuse = (existing: WorkersSend, reason: string) =>
    refusedAttempt(existing, { claimId: 'claim-2', now, leaseMs }, reason);

  it.each<[string, Partial<Send>, string, Partial<Send>, boolean]>([
    ['fails for good', {}, 'no_active_identity', { status: 'failed' }, false],
    ['waits again', {}, 'daily_recipients_exhausted', { status: 'queued' }, true],
    ['fails when patience is over', { giveUpAt: now }, 'Throttled', { status: 'failed' }, false],
    ['is held while in doubt', lost, 'ContentMissing', { status: 'sending', attempt: 2 }, true],
  ])('%s', (_, overrides, reason, expected, isDue) => {
    const existing = buildDue(overrides);

    const next = refuse(existing, reason);

    const attempt = existing.attempt + 1;
    expect(next).toMatchObject({ attempt, claimId: 'claim-2', ...expected });
    expect(next.attempts.at(-1)).toEqual({ attempt, at: now, reason });
    expect(next.dueAt !== undefined).toBe(isDue);
  });

  it('never loses the send’s place, increments its number, and keeps few failures', () => {
    const existings = fc.record({
      attempt: fc.nat({ max: 50 }),
      failures: fc.nat({ max: maxAttemptsKept }),
      status: fc.constantFrom<Send['status'][]>('scheduled', 'queued', 'sending'),
      reason: fc.constantFrom(...passing, 'MessageRejected', 'ContentMissing'),
    });
    fc.assert(
      fc.property(existings, ({ attempt, failures, status, reason }) => {
        const old = { attempt: -1, at: now - 1, reason: 'Throttled' };
        const attempts = Array.from({ length: failures }, () => old);
        const existing = buildDue({ attempt, attempts, status, leaseExpiresAt: now });

        const next = refuse(existing, reason);

        expect(next.attempt).toBe(attempt + 1);
        expect(next.attempts.length).toBeLessThanOrEqual(maxAttemptsKept);
        const isOver = next.status === 'failed';
        expect(next.dueAt === undefined).toBe(isOver);
        if (!isOver) expect(next.dueAt).toBeGreaterThan(now);
      }),
    );
  });
});

describe('a plan', () => {
  const moments = fc.integer({ min: now - 86_400_000, max: now + 30 * 86_400_000 });

  it('waits at attempt 0 until its time, and is kept for as long after it', () => {
    fc.assert(
      fc.property(fc.option(moments, { nil: undefined }), (sendAt) => {
        const claim = buildSend({ claimedAt: now });

        const content = { contentId: 'content-1', waitingKey: 'key-1' };
        const send = waitingClaim(claim, { ...content, sendAt, patienceMs });

        const dueAt = Math.max(now, sendAt ?? now);
        const status = dueAt > now ? 'scheduled' : 'queued';
        const giveUpAt = dueAt + patienceMs;
        expect(send).toMatchObject({ status, attempt: 0, dueAt, dueSince: dueAt, giveUpAt });
        expect((send.expiresAt - claim.expiresAt) * 1_000).toBeGreaterThanOrEqual(dueAt - now);
        expect(wakeFor(send, now).length).toBe(dueAt - now <= 900_000 ? 1 : 0);
      }),
    );
  });

  const plan = { patienceMs, retentionDays: 90 };

  it('moves to any time, under a new claim, and is kept no shorter than before', () => {
    fc.assert(
      fc.property(moments, moments, (before, sendAt) => {
        const send = asWaiting(buildDue({ dueAt: before }));

        const moved = movedTo(sendAt, send, now, plan);

        const dueAt = Math.max(now, sendAt);
        const status = dueAt > now ? 'scheduled' : 'queued';
        const giveUpAt = dueAt + patienceMs;
        expect(moved).toMatchObject({ status, sendAt, dueAt, dueSince: dueAt, giveUpAt });
        expect(moved.claimId).not.toBe(send.claimId);
        expect(moved.attempt).toBe(send.attempt);
        expect(moved.expiresAt).toBeGreaterThanOrEqual(send.expiresAt);
        expect(moved.expiresAt).toBeGreaterThanOrEqual(expiryAfter(dueAt, 90));
      }),
    );
  });

  it('that moves back and forth is kept as long as if it had moved once', () => {
    const send = asWaiting(buildDue());
    const later = now + 29 * 86_400_000;

    const once = movedTo(later, send, now, plan);
    const often = [now, later, now, later].reduce((one, at) => movedTo(at, one, now, plan), once);

    expect(often.expiresAt).toBe(once.expiresAt);
  });
});
