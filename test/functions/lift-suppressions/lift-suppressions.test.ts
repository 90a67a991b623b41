import { describe, expect, it } from 'vitest';
import { workBudgetMs } from '#shared/config/attempt-time';
import { ServiceError } from '#shared/errors/service-error';
import type { Suppression } from '#shared/suppressions/suppression-list-store';
import {
  endpoint,
  type LiftingMany,
  liftSuppressions,
} from '../../../functions/lift-suppressions/lift-suppressions.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { placeOf } from '../../support/cursor-reader.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  buildSuppression,
  fakeSuppressionList,
  positionOf,
} from '../../support/suppression-stores.ts';

const manager = buildManager();
const { organizationId } = manager;
const bounceAt = (at: number, diagnostic = '550 5.7.26 unauthenticated sender') =>
  buildSuppression(organizationId, {
    at,
    diagnostic,
    email: `p${at}@example.com`,
    providerMessageId: `message-${at}`,
  });

function prepare(all: Suppression[], given: Partial<LiftingMany> = {}) {
  const lifted: string[] = [];
  const run = (fields: object = {}) =>
    liftSuppressions(
      {
        caller: manager.caller,
        body: endpoint.body.parse({ from: 0, until: 10_000, ...fields }),
      },
      {
        now: manager.now,
        sendRetentionDays: 90,
        wakeQueue: async () => {},
        suppressionList: fakeSuppressionList(all),
        lifts: {
          lift: async ({ id: contactId }) => {
            lifted.push(contactId);
            all.splice(
              all.findIndex((one) => one.contactId === contactId),
              1,
            );
            return true;
          },
        },
        providerList: { remove: async () => true },
        ...given,
      },
    );
  return { run, lifted };
}

const throttled = async (): Promise<never> => {
  throw new ServiceError('provider_throttled', 'too fast');
};

describe('liftSuppressions', () => {
  it('lifts nothing by default, and shows what it would lift', async () => {
    const { run, lifted } = prepare([bounceAt(1_000), bounceAt(2_000)]);

    const result = await run();

    expect(result).toMatchObject({ dryRun: true, matched: 2, lifted: 0, nextCursor: null });
    expect(result.examples).toMatchObject([bounceAt(2_000), bounceAt(1_000)]);
    expect(lifted).toEqual([]);
  });

  it('lifts only what is in the period and contains the words', async () => {
    const wanted = [bounceAt(3_000, 'SPF Unauthenticated'), bounceAt(2_000)];
    const others = [
      bounceAt(10_000),
      bounceAt(999),
      bounceAt(4_000, '5.1.1 user unknown'),
      buildSuppression(organizationId, {
        at: 5_000,
        reason: 'manual',
        diagnostic: 'unauthenticated',
      }),
    ];
    const { run, lifted } = prepare([...wanted, ...others]);

    const result = await run({ from: 1_000, diagnostic: 'UNAUTHENTICATED', dryRun: false });

    expect(result).toMatchObject({ matched: 2, lifted: 2, removedFromProviderList: 2 });
    expect(lifted).toEqual(wanted.map(({ contactId }) => contactId));
  });

  it('lifts the given reason of an address and leaves its others', async () => {
    const { run, lifted } = prepare([
      buildSuppression(organizationId, { at: 1_000, reason: 'manual' }),
      buildSuppression(organizationId, { at: 2_000, reason: 'bounce' }),
    ]);

    const result = await run({ reason: 'bounce', dryRun: false });

    expect(result).toMatchObject({ matched: 1, lifted: 1 });
    expect(lifted).toHaveLength(1);
  });

  it('ends in time, and returns where to continue', async () => {
    let now = webhookNow;
    const all = Array.from({ length: 20 }, (_, index) => bounceAt(9_000 - index));
    const [, , , fourth] = all;
    const { run } = prepare([...all], {
      now: () => now,
      providerList: {
        remove: async () => {
          now += workBudgetMs / 4;
          return true;
        },
      },
    });

    const first = await run({ dryRun: false });

    expect(first).toMatchObject({ matched: 20, lifted: 4 });
    expect(placeOf(first.nextCursor)).toBe(fourth && positionOf(fourth));
  });

  it("doesn't count an address that another request lifts in between", async () => {
    const { run } = prepare([bounceAt(1_000), bounceAt(2_000)], {
      lifts: { lift: async () => false },
    });

    expect(await run({ dryRun: false })).toMatchObject({ matched: 2, lifted: 0, nextCursor: null });
  });

  it('retries a lift that SES throttles until it succeeds', async () => {
    let calls = 0;
    const { run, lifted } = prepare([bounceAt(1_000)], {
      providerList: {
        remove: async () => {
          calls += 1;
          return calls < 3 ? throttled() : true;
        },
      },
    });

    const result = await run({ dryRun: false });

    expect(result).toMatchObject({ lifted: 1, removedFromProviderList: 1, nextCursor: null });
    expect(lifted).toHaveLength(1);
  });

  it('reports that SES throttles when nothing succeeded in time', async () => {
    let now = webhookNow;
    const { run } = prepare([bounceAt(1_000)], {
      now: () => {
        now += workBudgetMs / 2;
        return now;
      },
      providerList: { remove: throttled },
    });

    expect((await serviceErrorOf(() => run({ dryRun: false }))).code).toBe('provider_throttled');
  });

  it("doesn't end while SES throttles one of the first, even if others were lifted", async () => {
    let now = webhookNow;
    const all = Array.from({ length: 6 }, (_, index) => bounceAt(9_000 - index));
    let isThrottled = true;
    const { run } = prepare(all, {
      now: () => now,
      providerList: {
        remove: async ([email]) => {
          if (!isThrottled || email !== 'p8999@example.com') return true;
          now += workBudgetMs;
          return throttled();
        },
      },
    });

    const first = await run({ dryRun: false });
    isThrottled = false;
    const cursor = first.nextCursor;
    const second = await run({ dryRun: false, ...(cursor !== null && { cursor }) });

    expect(first).toMatchObject({ matched: 6, lifted: 3 });
    expect(cursor).not.toBeNull();
    expect(second).toMatchObject({ matched: 3, lifted: 3, nextCursor: null });
    expect(all).toEqual([]);
  });

  it('repeats a later page from its start when SES throttles its first ones', async () => {
    let now = webhookNow;
    const all = Array.from({ length: 8 }, (_, index) => bounceAt(9_000 - index));
    const { run } = prepare(all, {
      now: () => now,
      providerList: {
        remove: async ([email]) => {
          const isLast = email === 'p8993@example.com';
          if (email === 'p8997@example.com' || isLast) now += workBudgetMs;
          return isLast ? throttled() : true;
        },
      },
    });
    const first = await run({ dryRun: false });

    const second = await run({ dryRun: false, cursor: first.nextCursor });

    expect(second).toMatchObject({ matched: 4, lifted: 3, nextCursor: first.nextCursor });
  });
});
