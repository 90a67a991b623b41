import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { anonymiseSend } from '#shared/send-history/send-erasure-store';
import { findSendsTo } from '#shared/send-history/send-list-store';
import { getSend, getTimeline } from '#shared/send-history/timeline-store';
import type { Send } from '#shared/sending/send';
import { toSend } from '#shared/sending/send-items';
import { freeKey, getKeyedSend, keepOrigin } from '#shared/sending/send-store';
import { expiryAfter, toSeconds } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { sendKey } from '#shared/table/send-keys';
import {
  contactIdOf,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
  slotIdIn,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { buildClaim, claimNow, claimSend } from '../../support/claim-builder.ts';
import { openDisturbedTable } from '../../support/disturbed-table.ts';
import { noContentErasure } from '../../support/memory-contents.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const dayMs = 86_400_000;
const slotOf = (organizationId: OrganizationId) => slotIdOf(organizationId, 'key-1');
const keyedSend = (organizationId: OrganizationId, at = claimNow) =>
  getKeyedSend(table, slotOf(organizationId), at);

/** A request with the key at a given time; its send is kept for 90 days. */
const request = (organizationId: OrganizationId, at = claimNow, overrides: Partial<Send> = {}) =>
  claimSend(
    table,
    buildClaim({
      organizationId,
      claimedAt: at,
      leaseExpiresAt: at + 300_000,
      expiresAt: expiryAfter(at, 90),
      ...overrides,
    }),
  );

const setStatus = ({ id }: Send, status: 'sent' | 'failed') =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sendKey(slotIdIn(id)),
      UpdateExpression:
        'SET #status = :status, providerMessageId = :message, sentAt = :at, attempts = :attempts',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...{ ':status': status, ':message': 'message-1', ':at': claimNow },
        ':attempts': status === 'failed' ? [{ attempt: 1, at: claimNow, reason: 'Rejected' }] : [],
      },
    }),
  );

/** Lets a send expire a second later. */
const expire = ({ id }: Send) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: sendKey(slotIdIn(id)),
      UpdateExpression: 'SET expiresAt = :now',
      ExpressionAttributeValues: { ':now': toSeconds(claimNow) + 1 },
    }),
  );

/** A request that claims the key and is settled. */
async function sendOnce(
  organizationId: OrganizationId,
  at = claimNow,
  status: 'sent' | 'failed' = 'sent',
  overrides: Partial<Send> = {},
) {
  const outcome = await request(organizationId, at, overrides);
  if (outcome.kind !== 'claimed') throw new Error(`The key is ${outcome.kind}`);
  await setStatus(outcome.send, status);
  return outcome.send;
}

/** A send that mentions Ann wherever it can. */
const telling: Partial<Send> = {
  idempotencyKey: 'key-1',
  toEmail: 'ann@example.com',
  moreTo: ['ann.2@example.com'],
  cc: ['ann.3@example.com'],
  bcc: ['ann.4@example.com'],
  suppressedRecipients: [{ email: 'ann.3@example.com', reason: 'bounce' }],
  subject: 'For Ann',
  replyTo: ['Ann <ann@example.com>'],
  headers: { 'X-For': 'Ann' },
  metadata: { for: 'Ann' },
  tags: { for: 'ann-4711' },
  contentKey: 'the key of what Ann got',
};
const hints = /Ann|ann[@.-]|key-1/;

const itemOf = ({ id }: Send) => getItem(table, sendKey(slotIdIn(id)));

async function free(organizationId: OrganizationId, at = claimNow) {
  const keyed = await keyedSend(organizationId, at);
  if (keyed === undefined) return 'unknown';
  const change = { action: 'idempotency_key.freed', target: keyed.send.feedbackId };
  return freeKey(table, keyed, newAuditEntry(organizationId, 'operator', change, at));
}

describe('a freed idempotency key', () => {
  it('makes one new send, whose answer is then replayed', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);

    expect(await free(organizationId)).toBe('freed');
    const next = await sendOnce(organizationId, claimNow + 1);
    const again = await request(organizationId, claimNow + 2);

    expect(next.id).not.toBe(first.id);
    expect(again).toMatchObject({ kind: 'replay', response: { sendId: next.id } });
    expect((await keyedSend(organizationId))?.send.id).toBe(next.id);
  });

  it('keeps its first send readable by id and by events', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId);
    await sendOnce(organizationId, claimNow + 1);

    const timeline = await getTimeline(table, first.id, claimNow + 2);
    const found = await getSend(table, first.feedbackId, claimNow + 2);

    expect([timeline?.send.id, found?.id]).toEqual([first.id, first.id]);
  });

  it('may be freed again and again, and makes one send each time', async () => {
    const organizationId = newOrganizationId();
    const sends: Send[] = [];

    for (let time = 0; time < 4; time += 1) {
      sends.push(await sendOnce(organizationId, claimNow + time));
      expect(await free(organizationId, claimNow + time)).toBe('freed');
    }

    expect(new Set(sends.map(({ id }) => id)).size).toBe(4);
    expect(await free(organizationId, claimNow + 5)).toBe('unknown');
  });

  it('is claimed by one of 20 concurrent requests', async () => {
    const organizationId = newOrganizationId();
    await sendOnce(organizationId);
    await free(organizationId);

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => request(organizationId, claimNow + 1)),
    );

    expect(outcomes.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'in_progress')).toHaveLength(19);
  });

  it('is freed by one of two concurrent calls', async () => {
    const organizationId = newOrganizationId();
    await sendOnce(organizationId);
    await free(organizationId);
    await sendOnce(organizationId, claimNow + 1);

    const outcomes = await Promise.all([free(organizationId), free(organizationId)]);

    expect(outcomes.filter((outcome) => outcome === 'freed')).toHaveLength(1);
  });

  it('gives no further attempt to a retry that read the failed send before', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId, claimNow, 'failed');
    const seen = await keyedSend(organizationId);
    if (seen === undefined) throw new Error('There is no send');

    const [freed, retried] = await Promise.all([
      freeKey(table, seen, undefined),
      request(organizationId, claimNow + 1),
    ]);
    const isFreed = freed === 'freed';
    const attempts = (await getSend(table, first.feedbackId, claimNow))?.attempt;

    expect(seen.send.id).toBe(first.id);
    expect(retried.kind).toBe('claimed');
    expect(retried.kind === 'claimed' && retried.send.id === first.id).toBe(!isFreed);
    expect(attempts).toBe(isFreed ? 1 : 2);
  });

  it("isn't freed while a retry has begun the next attempt", async () => {
    const organizationId = newOrganizationId();
    await sendOnce(organizationId, claimNow, 'failed');
    const keyed = await keyedSend(organizationId);
    if (keyed === undefined) throw new Error('There is no send');
    await request(organizationId, claimNow + 1);

    const entry = newAuditEntry(organizationId, 'operator', { action: 'x', target: 'x' }, claimNow);

    expect(await freeKey(table, keyed, entry)).toBe('changed_meanwhile');
  });

  it('is remembered as long as its current send, even after the first one expired', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId, claimNow + 80 * dayMs);
    const next = await sendOnce(organizationId, claimNow + 80 * dayMs);
    const later = claimNow + 91 * dayMs;

    const again = await request(organizationId, later);
    const hidden = await getSend(table, first.feedbackId, later);
    const afterAll = await request(organizationId, claimNow + 171 * dayMs);

    expect(again).toMatchObject({ kind: 'replay', response: { sendId: next.id } });
    expect(hidden).toBeUndefined();
    expect(await getTimeline(table, first.id, later)).toBeUndefined();
    expect(afterAll.kind).toBe('claimed');
  });

  it("is remembered even after the first send's person was erased with all sends", async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId);
    const next = await sendOnce(organizationId, claimNow + 1);
    const erasure = { identity: first.toEmail, expires: true };

    await anonymiseSend(table, noContentErasure, slotIdIn(first.id), erasure, claimNow + 2);

    expect(await getTimeline(table, first.id, claimNow + 2_000)).toBeUndefined();
    expect(await request(organizationId, claimNow + 2_000)).toMatchObject({
      kind: 'replay',
      response: { sendId: next.id },
    });
  });

  it('stays hidden when an erasure has expired it since it was read', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId);
    const origin = toSend((await itemOf(first)) ?? {});
    await expire(first);

    const later = expiryAfter(claimNow + dayMs, 90);
    const isKept = await keepOrigin(
      table,
      origin,
      buildClaim({ organizationId, expiresAt: later }),
    );

    expect(isKept).toBe(true);
    expect(await itemOf(first)).toMatchObject({ freed: 1, expiresAt: later });
    expect(await getSend(table, first.feedbackId, claimNow + 2_000)).toBeUndefined();
  });

  it('keeps nothing of an erased first send except that it gave up its key', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId, claimNow, 'sent', telling);
    await free(organizationId);
    const erasure = { identity: first.toEmail, expires: true };

    await anonymiseSend(table, noContentErasure, slotIdIn(first.id), erasure, claimNow + 2);

    expect(await itemOf(first)).toMatchObject({ toEmail: 'erased', subject: '', freed: 1 });
    expect(JSON.stringify(await itemOf(first))).not.toMatch(hints);
  });

  it('keeps nothing of an expired first send except that it gave up its key', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId, claimNow, 'sent', telling);
    await free(organizationId, claimNow + 80 * dayMs);
    await sendOnce(organizationId, claimNow + 80 * dayMs);
    const readable = await getSend(table, first.feedbackId, claimNow + 89 * dayMs);
    await free(organizationId, claimNow + 100 * dayMs);

    const next = await sendOnce(organizationId, claimNow + 100 * dayMs);

    expect(readable?.toEmail).toBe('ann@example.com');
    expect(await itemOf(first)).toMatchObject({ freed: 2, expiresAt: next.expiresAt });
    expect(JSON.stringify(await itemOf(first))).not.toMatch(hints);
    const named = contactIdOf(organizationId, first.toEmail);
    const found = await findSendsTo(table, named, { before: undefined, limit: 10 });
    expect(found.map(({ slotId }) => slotId)).not.toContain(slotIdIn(first.id));
  });

  it('starts over when its send has expired and nobody has used it since', async () => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId);
    await expire(first);

    const anew = await request(organizationId, claimNow + 1_000);

    expect(anew.kind === 'claimed' && slotIdIn(anew.send.id)).toBe(slotOf(organizationId));
  });
});

/** Runs a request whose process is disturbed right before it stores the first send. */
function disturbedRequest(organizationId: OrganizationId, at: number, meet: () => Promise<void>) {
  const disturbed = openDisturbedTable({
    before: async ({ operation }) => {
      if (operation === 'UpdateItem') await meet();
    },
  });
  const expiresAt = expiryAfter(at, 90);
  const leaseExpiresAt = at + 300_000;
  const candidate = buildClaim({ organizationId, claimedAt: at, leaseExpiresAt, expiresAt });
  return claimSend(disturbed, candidate);
}

describe('a request with a freed key', () => {
  it.each<[string, (organizationId: OrganizationId, until: number) => Promise<unknown>]>([
    ['begun anew', (organizationId) => sendOnce(organizationId, claimNow + 2_000)],
    [
      'begun anew and been freed as often',
      async (organizationId, until) => {
        await sendOnce(organizationId, claimNow + 2_000, 'sent', { expiresAt: until - 1 });
        await free(organizationId, claimNow + 2_000);
      },
    ],
  ])('sends nothing when the key has %s between claim and email', async (_what, happen) => {
    const organizationId = newOrganizationId();
    const first = await sendOnce(organizationId);
    await free(organizationId);
    const at = claimNow + 1_000;

    const outcome = await disturbedRequest(organizationId, at, async () => {
      await expire(first);
      await happen(organizationId, expiryAfter(at, 90));
    });

    expect(outcome.kind).toBe('in_progress');
  });

  it('that dies before storing the first send leaves that to the attempt that takes over', async () => {
    const organizationId = newOrganizationId();
    await sendOnce(organizationId);
    await free(organizationId);
    const at = claimNow + 80 * dayMs;
    const died = disturbedRequest(organizationId, at, async () => {
      throw new Error('The process died');
    });

    await expect(died).rejects.toThrow('The process died');
    const takeover = await request(organizationId, at + 300_000);
    if (takeover.kind !== 'claimed') throw new Error(`The key is ${takeover.kind}`);
    await setStatus(takeover.send, 'sent');
    const later = await request(organizationId, claimNow + 91 * dayMs);

    expect(takeover.send.attempt).toBe(2);
    expect(later).toMatchObject({ kind: 'replay', response: { sendId: takeover.send.id } });
  });
});

describe('an idempotency key used for another request', () => {
  it('shows whether another API key used it', async () => {
    const organizationId = newOrganizationId();
    const [one, other] = [newApiKeyId(organizationId), newApiKeyId(organizationId)];
    await request(organizationId, claimNow, { apiKeyId: one });

    const asks = [one, other].map((apiKeyId) =>
      request(organizationId, claimNow, { fingerprint: 'other', apiKeyId }),
    );

    expect(await Promise.all(asks)).toEqual([
      { kind: 'key_reused' },
      { kind: 'key_reused', byAnotherKey: true },
    ]);
  });
});
