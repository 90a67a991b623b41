import { describe, expect, it } from 'vitest';
import { newSend, nextAttempt } from '#shared/sending/claim';
import { factsOf, isTakeover, type Send } from '#shared/sending/send';
import { feedbackIdOf, serviceSlotIdOf, slotIdIn, slotIdOf } from '#shared/tokens/resource-id';
import { buildAdmission } from '../../support/admission-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { asClaimed, leaseMs, type SendGiven } from '../../support/send-builder.ts';
import { buildSendRequest } from '../../support/send-request-builder.ts';

const now = 1_750_000_000_000;
const isOver = { claimedAt: now - leaseMs };
const isOpen = { claimedAt: now - 10_000 };
const failure = { attempt: 1, at: now - 5_000, reason: 'MessageRejected' };

const build = (overrides: SendGiven) => buildClaim({ fingerprint: 'this-request', ...overrides });

describe('nextAttempt', () => {
  const buildCandidate = (overrides: Partial<Send> = {}) =>
    asClaimed(build({ claimedAt: now, fingerprint: 'another-request', ...overrides }));

  it('keeps the id of the send and when it was made, and counts up', () => {
    const existing = build({ ...isOver, attempt: 3 });

    const next = nextAttempt(existing, buildCandidate());

    expect(next).toMatchObject({
      id: existing.id,
      feedbackId: existing.feedbackId,
      createdAt: existing.createdAt,
      attempt: 4,
    });
  });

  it('takes everything else from its own request', () => {
    const existing = build({ ...isOver, status: 'failed', attempts: [failure] });
    const candidate = buildCandidate({
      fromEmail: 'new@mail.example.com',
      toEmail: 'bob@example.com',
      cc: ['cy@example.com'],
      subject: 'Rendered again',
      suppressedRecipients: [{ email: 'di@example.com', reason: 'complaint' }],
      expiresAt: existing.expiresAt + 1,
    });

    const { id, feedbackId, createdAt } = existing;
    expect(nextAttempt(existing, candidate)).toEqual({
      ...candidate,
      id,
      feedbackId,
      createdAt,
      attempt: 2,
      attempts: [failure],
    });
  });

  it('knows nothing of the message that SES rejected, except as a failed attempt', () => {
    const message = { providerMessageId: 'message-1', sentAt: now - 9_000 };
    const rejection = { ...failure, ...message };
    const existing = build({ status: 'failed', attempts: [rejection], ...message });

    const next = nextAttempt(existing, buildCandidate());

    expect(next.attempts).toEqual([rejection]);
    expect(next).not.toHaveProperty('providerMessageId');
    expect(next).not.toHaveProperty('sentAt');
    expect(next).not.toHaveProperty('doubtUntil');
  });

  it('is readable by its id alone only when every attempt was made with a key without scopes', () => {
    const readable = [
      [true, true],
      [true, false],
      [false, true],
    ].map(([first = false, second = false]) => {
      const existing = build({ ...isOver, isReadableById: first });
      return nextAttempt(existing, buildCandidate({ isReadableById: second })).isReadableById;
    });

    expect(readable).toEqual([true, false, false]);
  });

  it('is forgotten no sooner than the one before, though its request was held up for long', () => {
    const candidate = buildCandidate();
    const newer = build({ ...isOver, expiresAt: candidate.expiresAt + 600 });
    const older = build({ ...isOver, expiresAt: candidate.expiresAt - 600 });

    expect(nextAttempt(newer, candidate).expiresAt).toBe(newer.expiresAt);
    expect(nextAttempt(older, candidate).expiresAt).toBe(candidate.expiresAt);
  });

  it('that takes over is in doubt for the length of its own lease', () => {
    const next = nextAttempt(build(isOver), buildCandidate());

    expect(next.doubtUntil).toBe(now + leaseMs);
    expect(isTakeover(next)).toBe(true);
  });

  it('that takes over records the previous attempt as unanswered, at the end of its lease', () => {
    const existing = build({ ...isOver, attempt: 2, attempts: [failure] });

    const next = nextAttempt(existing, buildCandidate());

    const unanswered = { attempt: 2, at: existing.leaseExpiresAt, reason: 'Unanswered' };
    expect(next.attempts).toEqual([failure, unanswered]);
  });

  it('that follows a failed one is in no doubt', () => {
    const existing = build({ ...isOpen, status: 'failed', attempts: [failure] });

    const next = nextAttempt(existing, buildCandidate());

    expect(next.doubtUntil).toBeUndefined();
    expect(isTakeover(next)).toBe(false);
  });

  it('that follows a takeover which failed is in doubt as long as that one was', () => {
    const doubtUntil = now + 60_000;
    const existing = build({
      attempt: 2,
      attempts: [{ ...failure, attempt: 2 }],
      status: 'failed',
      doubtUntil,
    });

    const next = nextAttempt(existing, buildCandidate());

    expect(next.doubtUntil).toBe(doubtUntil);
    expect(isTakeover(next)).toBe(false);
  });

  it('that follows a takeover of unknown outcome takes over from it as well', () => {
    const existing = build({ ...isOver, attempt: 2, attempts: [failure], doubtUntil: now });

    const next = nextAttempt(existing, buildCandidate());

    expect(next.doubtUntil).toBe(now + leaseMs);
    expect(isTakeover(next)).toBe(true);
  });

  it('whose address is suppressed is complete when no earlier attempt is in doubt', () => {
    const existing = build({ ...isOpen, status: 'failed', attempts: [failure] });

    const next = nextAttempt(existing, buildCandidate({ status: 'suppressed' }));

    expect(next).toMatchObject({ status: 'suppressed', attempts: [failure] });
  });

  it('whose address is suppressed waits for an earlier one in doubt, whose bounce it may be', () => {
    const next = nextAttempt(build(isOver), buildCandidate({ status: 'suppressed' }));

    expect(next).toMatchObject({
      status: 'sending',
      attempts: [
        { attempt: 1, reason: 'Unanswered' },
        { attempt: 2, at: now, reason: 'Suppressed' },
      ],
      doubtUntil: now + leaseMs,
    });
  });

  it('keeps the last failures, so that a client that never stops does not fill the item', () => {
    let send: Send = build({});
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      const failed = { ...failure, attempt };
      send = nextAttempt(
        { ...factsOf(send), status: 'failed', attempts: [...send.attempts, failed] },
        buildCandidate(),
      );
    }

    expect(send.attempt).toBe(101);
    expect(send.attempts).toHaveLength(20);
    expect(send.attempts.at(-1)?.attempt).toBe(100);
  });
});

const settings = { leaseMs, sendRetentionDays: 90 };

const claimOf = (admission = buildAdmission()) => newSend('send', admission, now, settings);

describe('newSend', () => {
  it('is the first attempt of a send, with a lease as long as the doubt window', () => {
    expect(claimOf()).toMatchObject({
      status: 'sending',
      attempt: 1,
      attempts: [],
      claimedAt: now,
      leaseExpiresAt: now + leaseMs,
      createdAt: now,
      updatedAt: now,
    });
  });

  it('is in the slot of its idempotency key, under an id that the key does not reveal', () => {
    const admission = buildAdmission({ request: buildSendRequest({ idempotencyKey: 'key-1' }) });

    const [one, other] = [claimOf(admission), claimOf(admission)];

    const slotId = slotIdOf(admission.organization.id, 'key-1');
    expect([slotIdIn(one.id), slotIdIn(other.id)]).toEqual([slotId, slotId]);
    expect(one.id).not.toBe(other.id);
    expect(one.feedbackId).toBe(feedbackIdOf(one.id));
  });

  it('of a test key leaves the slot of its idempotency key to real emails', () => {
    const request = buildSendRequest({ idempotencyKey: 'key-1' });
    const real = buildAdmission({ request });

    const test = claimOf({ ...real, isTest: true });

    expect(test).toMatchObject({ test: true });
    expect(slotIdIn(test.id)).not.toBe(slotIdIn(claimOf(real).id));
    expect(slotIdIn(claimOf({ ...real, isTest: true }).id)).toBe(slotIdIn(test.id));
  });

  it('of the service itself is in a slot that no idempotency key leads to', () => {
    const request = buildSendRequest({ idempotencyKey: 'service-notice:key_spiking' });
    const admission = buildAdmission({ request });

    const ofService = slotIdIn(claimOf({ ...admission, apiKey: undefined }).id);

    const { id } = admission.organization;
    expect(ofService).toBe(serviceSlotIdOf(id, 'service-notice:key_spiking'));
    expect(ofService).not.toBe(slotIdIn(claimOf(admission).id));
  });

  it('has a slot of its own without an idempotency key', () => {
    const admission = buildAdmission();

    const [one, other] = [claimOf(admission), claimOf(admission)];

    expect(slotIdIn(one.id)).not.toBe(slotIdIn(other.id));
  });

  it('gets a claim id of its own', () => {
    const admission = buildAdmission({ request: buildSendRequest({ idempotencyKey: 'key-1' }) });

    expect(claimOf(admission).claimId).not.toBe(claimOf(admission).claimId);
  });

  it.each([
    ['as long as the deployment keeps sends', undefined, 90],
    ['for fewer days when the organization says so', 7, 7],
    ['no longer than the deployment, whatever the organization says', 365, 90],
  ])('is remembered %s', (_what, ownDays, days) => {
    const organization = buildOrganization(
      ownDays === undefined ? {} : { sendRetentionDays: ownDays },
    );

    const { expiresAt } = claimOf(buildAdmission({ organization }));

    expect(expiresAt).toBe(now / 1000 + days * 86_400);
  });

  it('is complete when the `to` address is suppressed', () => {
    const suppressed = [{ email: 'ann@example.com', reason: 'bounce' }];
    const { recipients, ...admission } = buildAdmission();

    const send = claimOf({
      ...admission,
      recipients: { ...recipients, suppressed, isToSuppressed: true },
    });

    expect(send).toMatchObject({ status: 'suppressed', suppressedRecipients: suppressed });
  });

  it('names attachments and missing variables only when there are some', () => {
    const send = claimOf();

    expect(send).not.toHaveProperty('attachmentCount');
    expect(send).not.toHaveProperty('attachmentBytes');
    expect(send).not.toHaveProperty('templateId');
    expect(send).not.toHaveProperty('missingVariables');
  });
});
