import { describe, expect, it } from 'vitest';
import { type Claim, claimSend } from '#shared/sending/claim-store';
import type { Send } from '#shared/sending/send';
import {
  commitAcceptance,
  commitFailure,
  commitSuppression,
} from '#shared/sending/settlement-store';
import { getSend } from '#shared/sending/timeline-store';
import { newOrganizationId, newSendId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildClaim, claimNow } from '../../support/claim-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const acceptance = { providerMessageId: 'message-1', at: claimNow + 500 };

/** Another request of the organization under the same idempotency key. */
const buildRetry = (organizationId: OrganizationId, overrides: Partial<Claim> = {}) =>
  buildClaim({
    send: buildSend({ id: newSendId(organizationId), idempotencyKey: 'key-1' }),
    ...overrides,
  });

/** A first request that has claimed its key. */
async function claimFirst(sendOverrides: Partial<Send> = {}, overrides: Partial<Claim> = {}) {
  const organizationId = newOrganizationId();
  const id = newSendId(organizationId);
  const claim = buildClaim({
    send: buildSend({ id, idempotencyKey: 'key-1', ...sendOverrides }),
    ...overrides,
  });
  await claimSend(table, claim);
  return { organizationId, send: claim.send, claim };
}

const countsOf = (outcomes: readonly { readonly kind: string }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, ({ kind }) => kind)).map(([kind, list]) => [
      kind,
      list?.length,
    ]),
  );

describe('a free key', () => {
  it('is claimed together with its send', async () => {
    const claim = buildClaim();

    const outcome = await claimSend(table, claim);

    expect(outcome).toEqual({ kind: 'claimed', send: claim.send });
    expect(await getSend(table, claim.send.feedbackId)).toEqual(claim.send);
  });

  it('is free in every organization for itself', async () => {
    const outcomes = [await claimSend(table, buildClaim()), await claimSend(table, buildClaim())];

    expect(countsOf(outcomes)).toEqual({ claimed: 2 });
  });

  it('is claimed by one of 50 requests at once, and its send alone is stored', async () => {
    const organizationId = newOrganizationId();
    const claims = Array.from({ length: 50 }, () => buildRetry(organizationId));

    const outcomes = await Promise.all(claims.map((claim) => claimSend(table, claim)));

    const stored = await Promise.all(claims.map(({ send }) => getSend(table, send.feedbackId)));
    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 49 });
    expect(stored.filter((send) => send !== undefined)).toEqual(
      outcomes.flatMap((outcome) => (outcome.kind === 'claimed' ? [outcome.send] : [])),
    );
  });

  it('is claimed by one of two different requests that come 25 times each at once', async () => {
    const organizationId = newOrganizationId();
    const claims = Array.from({ length: 50 }, (_, index) =>
      buildRetry(organizationId, { fingerprint: `request-${index % 2}` }),
    );

    const outcomes = await Promise.all(claims.map((claim) => claimSend(table, claim)));

    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 24, key_reused: 25 });
  });
});

describe('a send without a key', () => {
  it('is stored', async () => {
    const claim = buildClaim({ send: buildSend() });

    const outcome = await claimSend(table, claim);

    expect(outcome).toEqual({ kind: 'claimed', send: claim.send });
    expect(await getSend(table, claim.send.feedbackId)).toEqual(claim.send);
  });

  it('is claimed also when the answer to its own write was lost', async () => {
    const claim = buildClaim({ send: buildSend() });

    await claimSend(table, claim);

    expect(await claimSend(table, claim)).toEqual({ kind: 'claimed', send: claim.send });
  });
});

describe('a key in progress', () => {
  it('tells a duplicate to come back, and stores nothing of it', async () => {
    const { organizationId } = await claimFirst();
    const retry = buildRetry(organizationId);

    const outcome = await claimSend(table, retry);

    expect(outcome).toEqual({ kind: 'in_progress', retryAt: claimNow + 1_000 });
    expect(await getSend(table, retry.send.feedbackId)).toBeUndefined();
  });

  it('is refused to another request', async () => {
    const { organizationId } = await claimFirst();

    const outcome = await claimSend(
      table,
      buildRetry(organizationId, { fingerprint: 'request-2' }),
    );

    expect(outcome).toEqual({ kind: 'key_reused' });
  });
});

describe('a completed key', () => {
  it('replays the answer of a send that went out', async () => {
    const { organizationId, send } = await claimFirst();
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await claimSend(table, buildRetry(organizationId));

    expect(outcome).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'sent', messageId: 'message-1' },
    });
  });

  it('replays the answer of a suppressed send', async () => {
    const suppressedRecipients = [{ email: 'ann@example.com', reason: 'bounce' }];
    const { organizationId, send } = await claimFirst({ suppressedRecipients });
    await commitSuppression(table, send, claimNow);

    const outcome = await claimSend(table, buildRetry(organizationId));

    expect(outcome).toEqual({
      kind: 'replay',
      response: { sendId: send.id, status: 'suppressed', suppressedRecipients },
    });
  });

  it('replays also long after the lease', async () => {
    const { organizationId, send } = await claimFirst();
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await claimSend(
      table,
      buildRetry(organizationId, { now: claimNow + 86_400_000 }),
    );

    expect(outcome.kind).toBe('replay');
  });

  it('is refused to another request', async () => {
    const { organizationId, send } = await claimFirst();
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await claimSend(
      table,
      buildRetry(organizationId, { fingerprint: 'request-2' }),
    );

    expect(outcome).toEqual({ kind: 'key_reused' });
  });
});

describe('the key of a failed send', () => {
  it('is free for a new send', async () => {
    const { organizationId, send } = await claimFirst();
    await commitFailure(table, send, 'MessageRejected', claimNow);
    const retry = buildRetry(organizationId);

    const outcome = await claimSend(table, retry);

    expect(outcome).toEqual({ kind: 'claimed', send: retry.send });
    expect(await getSend(table, send.feedbackId)).toMatchObject({ status: 'failed' });
  });

  it('is free for another request', async () => {
    const { organizationId, send } = await claimFirst();
    await commitFailure(table, send, 'MessageRejected', claimNow);

    const outcome = await claimSend(
      table,
      buildRetry(organizationId, { fingerprint: 'request-2' }),
    );

    expect(outcome.kind).toBe('claimed');
  });
});

describe('a key whose lease has run out', () => {
  const later = claimNow + 300_000;
  const buildLateRetry = (organizationId: OrganizationId, overrides: Partial<Claim> = {}) =>
    buildRetry(organizationId, { now: later, leaseExpiresAt: later + 300_000, ...overrides });

  it('is taken over under the first send id', async () => {
    const { organizationId, send } = await claimFirst();
    const retry = buildLateRetry(organizationId);

    const outcome = await claimSend(table, retry);

    expect(outcome).toMatchObject({
      kind: 'claimed',
      send: { id: send.id, feedbackId: send.feedbackId, status: 'sending' },
    });
    expect(await getSend(table, retry.send.feedbackId)).toBeUndefined();
  });

  it('is taken over with the sender, the subject and the suppressions of now', async () => {
    const { organizationId, send } = await claimFirst();
    const suppressedRecipients = [{ email: 'bob@example.com', reason: 'complaint' }];
    const retry = buildLateRetry(organizationId);
    const current = {
      fromEmail: 'new@mail.example.com',
      subject: 'Rendered anew',
      suppressedRecipients,
    };

    const outcome = await claimSend(table, { ...retry, send: { ...retry.send, ...current } });

    expect(outcome).toMatchObject({ send: current });
    expect(await getSend(table, send.feedbackId)).toEqual({
      ...send,
      ...current,
      updatedAt: later,
    });
  });

  it('is leased anew by the takeover', async () => {
    const { organizationId } = await claimFirst();
    await claimSend(table, buildLateRetry(organizationId));

    const outcomes = [
      await claimSend(table, buildLateRetry(organizationId)),
      await claimSend(table, buildLateRetry(organizationId, { now: later + 60_000 })),
      await claimSend(table, buildLateRetry(organizationId, { now: later + 300_000 })),
    ];

    expect(outcomes).toMatchObject([
      { kind: 'in_progress', retryAt: later + 1_000 },
      { kind: 'in_progress', retryAt: later + 300_000 },
      { kind: 'claimed' },
    ]);
  });

  it('is taken over by exactly one of 50 retries at once', async () => {
    const { organizationId, send } = await claimFirst();
    const retries = Array.from({ length: 50 }, () => buildLateRetry(organizationId));

    const outcomes = await Promise.all(retries.map((retry) => claimSend(table, retry)));

    const winners = outcomes.flatMap((outcome) =>
      outcome.kind === 'claimed' ? [outcome.send.id] : [],
    );
    expect(winners).toEqual([send.id]);
    expect(countsOf(outcomes)).toEqual({ claimed: 1, in_progress: 49 });
  });

  it('is refused to another request', async () => {
    const { organizationId } = await claimFirst();

    const outcome = await claimSend(
      table,
      buildLateRetry(organizationId, { fingerprint: 'request-2' }),
    );

    expect(outcome).toEqual({ kind: 'key_reused' });
  });

  it('replays when the acceptance of the first attempt is told meanwhile', async () => {
    const { organizationId, send } = await claimFirst();
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await claimSend(table, buildLateRetry(organizationId));

    expect(outcome).toMatchObject({ kind: 'replay', response: { messageId: 'message-1' } });
  });

  it('leads to one settled send when takeover and acceptance come at once', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const { organizationId, send } = await claimFirst();

      const [retried] = await Promise.all([
        claimSend(table, buildLateRetry(organizationId)),
        commitAcceptance(table, send, acceptance, []),
      ]);

      expect(['claimed', 'replay']).toContain(retried.kind);
      expect(await getSend(table, send.feedbackId)).toMatchObject({ status: 'sent' });
      expect(await claimSend(table, buildLateRetry(organizationId))).toMatchObject({
        kind: 'replay',
        response: { sendId: send.id, status: 'sent', messageId: 'message-1' },
      });
    });

    await Promise.all(rounds);
  });
});

describe('a key past its retention', () => {
  const keyExpiresAt = claimNow / 1000 + 60;

  it('is free though the item is still there', async () => {
    const { organizationId, send } = await claimFirst({}, { keyExpiresAt });
    await commitAcceptance(table, send, acceptance, []);
    const retry = buildRetry(organizationId, { now: claimNow + 61_000, fingerprint: 'request-2' });

    const outcome = await claimSend(table, retry);

    expect(outcome).toEqual({ kind: 'claimed', send: retry.send });
  });

  it('holds until its last second', async () => {
    const { organizationId, send } = await claimFirst({}, { keyExpiresAt });
    await commitAcceptance(table, send, acceptance, []);

    const outcome = await claimSend(table, buildRetry(organizationId, { now: claimNow + 60_999 }));

    expect(outcome.kind).toBe('replay');
  });
});
