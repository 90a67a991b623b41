import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';
import { newWebhookId } from '#shared/tokens/resource-id';
import { claimDelivery, settleDelivery } from '#shared/webhook-deliveries/attempt-store';
import { type Delivery, leaseMs } from '#shared/webhook-deliveries/delivery';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { retryDelivery, retryWaiting } from '#shared/webhook-deliveries/retry-waiting';
import type { Webhook } from '#shared/webhooks/webhook';
import { createWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { findDueTo, storeDeliveries } from '../../support/stored-delivery.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';
import { buildDelivery, buildWebhook, webhookNow } from '../webhooks/webhook-builder.ts';

const hourMs = 3_600_000;
const failed = { at: webhookNow - hourMs, durationMs: 31, statusCode: 502 };
/** It has failed twice, and is due in an hour. */
const waiting = {
  createdAt: webhookNow - hourMs,
  dueAt: webhookNow + hourMs,
  attemptsStarted: 2,
  attempts: [failed, failed],
} satisfies Partial<Delivery>;

/** A webhook with deliveries that wait. */
async function prepare(given: readonly Partial<Delivery>[], overrides: Partial<Webhook> = {}) {
  const account = await openWebhookAccount(overrides);
  const { caller, table, webhook } = account;
  const deliveries = given.map((one) =>
    buildDelivery({ ...waiting, ...one, webhookId: webhook.id }),
  );
  await storeDeliveries(table, deliveries);
  const [first] = deliveries;
  if (first === undefined) throw new Error('no delivery');
  return {
    ...account,
    first,
    deliveries,
    read: (id = first.id) => getDelivery(table, id, webhookNow),
    dueNow: () => findDueTo(table, webhook.id, webhookNow),
    retryOne: (id = first.id) => retryDelivery({ caller, path: { id } }, account),
    retryAll: () => retryWaiting({ caller, path: { id: webhook.id } }, account),
  };
}

describe('retrying one delivery', () => {
  it('makes it due now under its id, with the attempts it has had, and wakes the queue', async () => {
    const { retryOne, first, read, dueNow, woken } = await prepare([{}]);

    const retried = await retryOne();

    const expected = { ...first, dueAt: webhookNow, updatedAt: webhookNow };
    expect(retried).toEqual(expected);
    expect(await read()).toEqual(expected);
    expect(await dueNow()).toMatchObject([{ id: first.id, dueAt: webhookNow }]);
    expect(woken).toEqual([expected]);
  });

  it('when asked twice changes nothing the second time, and wakes the queue again', async () => {
    const { retryOne, read, woken, clock } = await prepare([{}]);
    const once = await retryOne();
    clock.at += 500;

    expect(await retryOne()).toEqual(once);
    expect(await read()).toEqual(once);
    expect(woken).toEqual([once, once]);
  });

  it('leaves an attempt under way alone', async () => {
    const leased = { leaseExpiresAt: webhookNow + leaseMs };
    const { retryOne, first, read, woken } = await prepare([leased]);

    expect(await retryOne()).toEqual(first);
    expect(await read()).toEqual(first);
    expect(woken).toEqual([]);
  });

  it('takes over from an attempt whose process died', async () => {
    const { retryOne, read } = await prepare([{ leaseExpiresAt: webhookNow - 1 }]);

    await retryOne();

    expect(await read()).toMatchObject({ dueAt: webhookNow, attemptsStarted: 2 });
  });

  it('brings the next attempt forward that another attempt has scheduled in between', async () => {
    const account = await prepare([{ dueAt: webhookNow - 1 }]);
    const { table, first, retryOne, read } = account;
    const claimed = await claimDelivery(table, first.id, 'due', webhookNow);
    if (claimed === undefined) throw new Error('not claimed');
    const attempts = [failed, failed, failed];
    const outcome = { status: 'pending', attempts, dueAt: webhookNow + 2 * hourMs } as const;
    await settleDelivery(table, claimed, outcome, webhookNow);

    await retryOne();

    expect(await read()).toMatchObject({ dueAt: webhookNow, attemptsStarted: 3, attempts });
  });

  it.each(['delivered', 'failed'] as const)('is refused once it is %s', async (status) => {
    const { retryOne, first, read, woken } = await prepare([{ status }]);

    expect((await serviceErrorOf(retryOne)).code).toBe('delivery_not_waiting');
    expect(await read()).toEqual(first);
    expect(woken).toEqual([]);
  });

  it("doesn't find an expired delivery, or one of another organization", async () => {
    const { retryOne } = await prepare([{ expiresAt: webhookNow / 1_000 }]);
    const { first: foreign } = await prepare([{}]);

    expect((await serviceErrorOf(retryOne)).code).toBe('delivery_not_found');
    expect((await serviceErrorOf(() => retryOne(foreign.id))).code).toBe('delivery_not_found');
  });

  it.each([
    { given: { pausedAt: webhookNow }, code: 'webhook_paused' },
    { given: { disabled: { reason: 'gone', at: webhookNow } }, code: 'webhook_disabled' },
  ] as const)('is refused with $code, and changes nothing', async ({ given, code }) => {
    const { retryOne, retryAll, first, read } = await prepare([{}], given);

    expect((await serviceErrorOf(retryOne)).code).toBe(code);
    expect((await serviceErrorOf(retryAll)).code).toBe(code);
    expect(await read()).toEqual(first);
  });

  it('reaches a disabled endpoint with a redelivery', async () => {
    const disabled = { reason: 'gone', at: webhookNow } as const;
    const original = buildDelivery();
    const { retryOne } = await prepare([{ redeliveryOf: original.id }], { disabled });

    expect(await retryOne()).toMatchObject({ dueAt: webhookNow });
  });
});

describe('retrying all that wait', () => {
  it('makes them due now, and leaves out first attempts, those due and those under way', async () => {
    const leaseExpiresAt = webhookNow + leaseMs;
    const account = await prepare([
      { dueAt: webhookNow + 1 },
      { dueAt: webhookNow + hourMs },
      { dueAt: webhookNow + 30_000, attemptsStarted: 0, attempts: [] },
      { dueAt: webhookNow - 5 },
      { dueAt: webhookNow + 30_000, leaseExpiresAt },
    ]);

    expect(await account.retryAll()).toEqual({ retried: 2, hasMore: false });

    const dueTimes = await Promise.all(
      account.deliveries.map(async ({ id }) => (await account.read(id))?.dueAt),
    );
    expect(dueTimes).toEqual([
      webhookNow,
      webhookNow,
      webhookNow + 30_000,
      webhookNow - 5,
      webhookNow + 30_000,
    ]);
    expect(account.woken).toEqual([]);
  });

  it('takes a bounded number each time, soonest first, until none is left', async () => {
    const most = 8 * 50;
    const due = Array.from({ length: 2 * most }, (_, n) => ({ dueAt: webhookNow + 1 + n }));
    const account = await prepare(due);

    const retried: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const answer = await account.retryAll();
      expect(answer.retried).toBeGreaterThan(0);
      expect(answer.retried).toBeLessThanOrEqual(most);
      retried.push(answer.retried);
      hasMore = answer.hasMore;
    }

    expect(retried.length).toBeGreaterThan(1);
    expect(retried.reduce((sum, one) => sum + one, 0)).toBe(due.length);
    expect(await account.dueNow()).toHaveLength(due.length);
  });

  it('makes each due once when pressed twice at the same moment', async () => {
    const account = await prepare(Array.from({ length: 20 }, () => ({})));

    const answers = await Promise.all([account.retryAll(), account.retryAll()]);

    const together = answers.reduce((sum, { retried }) => sum + retried, 0);
    expect(together).toBe(20);
    expect(await account.dueNow()).toHaveLength(20);
  });

  it('can be repeated when it died half-way', async () => {
    const account = await prepare(Array.from({ length: 20 }, () => ({})));
    const [half] = account.deliveries;
    if (half === undefined) throw new Error('no delivery');
    await account.retryOne(half.id);

    expect(await account.retryAll()).toEqual({ retried: 19, hasMore: false });
  });
});

describe('a retry of all that wait whose table fails', () => {
  const faults = ['before', 'after'] as const;
  const writes = [1, 2, 3];

  it.each(faults.flatMap((when) => writes.map((write) => ({ when, write }))))(
    '$when write $write is finished by its repetition',
    async ({ when, write }) => {
      let written = 0;
      let isFailing = false;
      const { table } = openMemoryTable({
        intercept: async ({ operation }, run) => {
          const fails = isFailing && operation === 'UpdateItem' && ++written === write;
          if (fails && when === 'before') throw new Error('the table is silent');
          const answer = await run();
          if (fails) throw new Error('the answer is lost');
          return answer;
        },
      });
      const organization = buildOrganization();
      const webhook = buildWebhook({ id: newWebhookId(organization.id) });
      await putOrganization(table, organization);
      await createWebhook(table, webhook, anyEntry());
      const deliveries = writes.map(() => buildDelivery({ ...waiting, webhookId: webhook.id }));
      await storeDeliveries(table, deliveries);
      const caller = { organizationId: organization.id };
      const retry = () =>
        retryWaiting({ caller, path: { id: webhook.id } }, { table, now: () => webhookNow });

      isFailing = true;
      await expect(retry()).rejects.toThrow();
      isFailing = false;
      await retry();

      const stored = await Promise.all(
        deliveries.map(({ id }) => getDelivery(table, id, webhookNow)),
      );
      expect(stored).toEqual(
        deliveries.map((one) => ({ ...one, dueAt: webhookNow, updatedAt: webhookNow })),
      );
    },
  );
});
