import { describe, expect, it } from 'vitest';
import { claimDelivery, settleDelivery } from '#shared/webhook-deliveries/attempt-store';
import { firstAttemptGraceMs, leaseMs } from '#shared/webhook-deliveries/delivery';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { conflictAtFirst, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { findDueTo, storeClaimedDelivery, storeDelivery } from '../../support/stored-delivery.ts';
import { buildDelivery, webhookNow as now } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const attempt = { at: now, durationMs: 5, statusCode: 500, answer: 'no' };
const graceIsOver = now + firstAttemptGraceMs;

describe('claiming a delivery', () => {
  it('counts the attempt and holds the delivery for half a minute', async () => {
    const delivery = await storeDelivery(table);

    const claimed = await claimDelivery(table, delivery.id, 'first', now);

    const expected = { attemptsStarted: 1, leaseExpiresAt: now + leaseMs, updatedAt: now };
    expect(claimed).toEqual({ ...delivery, ...expected });
    expect(await getDelivery(table, delivery.id, now)).toEqual(claimed);
  });

  it('accepts a type that only a newer version has', async () => {
    const { id } = await storeDelivery(table, { type: 'email.of_a_later_version' });

    expect(await claimDelivery(table, id, 'first', now)).toMatchObject({
      type: 'email.of_a_later_version',
      attemptsStarted: 1,
    });
  });

  it.each(['first', 'due'] as const)(
    'succeeds for only one of several concurrent calls (%s)',
    async (when) => {
      const { id } = await storeDelivery(table);

      const claims = await Promise.all(
        Array.from({ length: 8 }, () => claimDelivery(table, id, when, graceIsOver)),
      );

      expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    },
  );

  it('waits for a transaction that holds the delivery', async () => {
    const { id } = await storeDelivery(table);
    const conflicting = openDisturbedTable(conflictAtFirst('UpdateItem'));

    expect(await claimDelivery(conflicting, id, 'first', now)).toMatchObject({
      attemptsStarted: 1,
    });
  });

  it('for the first attempt fails when the queue delivers its message twice', async () => {
    const { id } = await storeClaimedDelivery(table);

    expect(await claimDelivery(table, id, 'first', now + leaseMs + 1)).toBeUndefined();
  });

  it('succeeds for a due delivery once it is due', async () => {
    const { id } = await storeDelivery(table);

    expect(await claimDelivery(table, id, 'due', graceIsOver - 1)).toBeUndefined();
    expect(await claimDelivery(table, id, 'due', graceIsOver)).toBeDefined();
  });

  it("succeeds again when a dead process's lease has expired", async () => {
    const { id, leaseExpiresAt = 0 } = await storeClaimedDelivery(table);
    const due = { id, dueAt: graceIsOver };
    expect(leaseExpiresAt).toBeLessThan(due.dueAt);

    const second = await claimDelivery(table, id, 'due', graceIsOver);
    const duringLease = await claimDelivery(table, id, 'due', graceIsOver + leaseMs);
    const third = await claimDelivery(table, id, 'due', graceIsOver + leaseMs + 1);

    expect(second).toMatchObject({ attemptsStarted: 2 });
    expect(duringLease).toBeUndefined();
    expect(third).toMatchObject({ attemptsStarted: 3 });
  });

  it.each(['delivered', 'failed'] as const)('fails for a delivery that is %s', async (status) => {
    const { id } = await storeDelivery(table, { status });

    expect(await claimDelivery(table, id, 'due', graceIsOver)).toBeUndefined();
  });

  it.each(['first', 'due'] as const)('(%s) fails for an expired delivery', async (when) => {
    const { id } = await storeDelivery(table, { expiresAt: graceIsOver / 1000 });

    expect(await claimDelivery(table, id, when, graceIsOver)).toBeUndefined();
    expect(await claimDelivery(table, id, when, graceIsOver + 999)).toBeUndefined();
  });

  it.each(['first', 'due'] as const)(
    '(%s) removes a delivery that expired while due from the index of due ones',
    async (when) => {
      const { id, webhookId } = await storeDelivery(table, { expiresAt: graceIsOver / 1000 });
      expect(await findDueTo(table, webhookId, graceIsOver)).toHaveLength(1);

      await claimDelivery(table, id, when, graceIsOver);

      expect(await findDueTo(table, webhookId, graceIsOver)).toEqual([]);
    },
  );

  it('keeps a delivery that another process has in the index of due ones', async () => {
    const { id, webhookId } = await storeClaimedDelivery(table);

    await claimDelivery(table, id, 'first', now);

    expect(await findDueTo(table, webhookId, graceIsOver)).toHaveLength(1);
  });

  it('succeeds until the second in which the delivery expires', async () => {
    const { id } = await storeDelivery(table, { expiresAt: graceIsOver / 1000 + 1 });

    expect(await claimDelivery(table, id, 'due', graceIsOver + 999)).toBeDefined();
  });

  it('fails for an unknown delivery', async () => {
    expect(await claimDelivery(table, buildDelivery().id, 'first', now)).toBeUndefined();
  });
});

describe('settling a delivery', () => {
  it('as a success ends it', async () => {
    const claimed = await storeClaimedDelivery(table);

    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now + 9);

    const { leaseExpiresAt: _lease, ...rest } = claimed;
    expect(await getDelivery(table, claimed.id, now)).toEqual({
      ...rest,
      status: 'delivered',
      attempts: [attempt],
      updatedAt: now + 9,
    });
    expect(await findDueTo(table, claimed.webhookId, now * 2)).toEqual([]);
  });

  it('as a final failure ends it with the reason', async () => {
    const claimed = await storeClaimedDelivery(table);
    const outcome = { attempts: [attempt], failureReason: 'attempts_exhausted' };

    await settleDelivery(table, claimed, { status: 'failed', ...outcome }, now);

    expect(await getDelivery(table, claimed.id, now)).toMatchObject({
      status: 'failed',
      ...outcome,
    });
    expect(await findDueTo(table, claimed.webhookId, now * 2)).toEqual([]);
  });

  it('as a failure sets the time of the next attempt, and frees it for then', async () => {
    const claimed = await storeClaimedDelivery(table);
    const { id, webhookId } = claimed;
    const dueAt = now + 300_000;

    await settleDelivery(table, claimed, { status: 'pending', attempts: [attempt], dueAt }, now);

    expect(await findDueTo(table, webhookId, dueAt - 1)).toEqual([]);
    expect(await findDueTo(table, webhookId, dueAt)).toMatchObject([{ id, webhookId, dueAt }]);
    expect(await claimDelivery(table, id, 'due', dueAt - 1)).toBeUndefined();
    expect(await claimDelivery(table, id, 'due', dueAt)).toMatchObject({
      attemptsStarted: 2,
    });
  });

  it('waits for a transaction that holds the delivery', async () => {
    const claimed = await storeClaimedDelivery(table);
    const conflicting = openDisturbedTable(conflictAtFirst('UpdateItem'));

    await settleDelivery(conflicting, claimed, { status: 'delivered', attempts: [attempt] }, now);

    expect(await getDelivery(table, claimed.id, now)).toMatchObject({ status: 'delivered' });
  });

  it('is dropped when the lease has expired and another process has the delivery', async () => {
    const slow = await storeClaimedDelivery(table);
    const second = await claimDelivery(table, slow.id, 'due', graceIsOver);

    await settleDelivery(table, slow, { status: 'delivered', attempts: [attempt] }, graceIsOver);

    expect(await getDelivery(table, slow.id, now)).toEqual(second);
  });

  it('is stored once', async () => {
    const claimed = await storeClaimedDelivery(table);
    await settleDelivery(table, claimed, { status: 'delivered', attempts: [attempt] }, now);

    const failed = { status: 'failed', attempts: [], failureReason: 'endpoint_gone' } as const;
    await settleDelivery(table, claimed, failed, now);

    expect(await getDelivery(table, claimed.id, now)).toMatchObject({
      status: 'delivered',
    });
  });
});
