import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import type { UsageTally } from '#shared/usage/usage-tally';
import { countUsage } from '../../../functions/count-usage/count-usage.ts';
import { buildEventRecord, buildSentRecord } from '../../support/stream-record-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const [one, other] = [newOrganizationId(), newOrganizationId()];
const shardId = 'shardId-1';

/** Keeps what is added, and what cannot be read. */
function recordCounting(addUsage = async (_tally: UsageTally) => {}) {
  const added: { readonly shardId: string; readonly tally: UsageTally }[] = [];
  const unreadable: (string | undefined)[] = [];
  const count = (Records: readonly unknown[]) =>
    countUsage(
      { shardId, Records: [...Records] },
      {
        add: (shard, tally) => {
          added.push({ shardId: shard, tally });
          return addUsage(tally);
        },
        read: unexpected('usage.read'),
      },
      (sequence) => unreadable.push(sequence),
    );
  return { added, unreadable, count };
}

describe('countUsage', () => {
  it('adds the counts of a batch once for each organization and month', async () => {
    const { added, count } = recordCounting();

    await count([
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
      buildEventRecord('opened', { organizationId: one, sequence: 3 }),
      buildEventRecord('opened', { organizationId: one, sequence: 4, at: Date.UTC(2026, 6, 1) }),
    ]);

    const sequences = added.map(({ tally: { organizationId, month, entries } }) => [
      organizationId,
      month,
      ...entries.map(({ sequence }) => Number(sequence)),
    ]);
    expect(sequences).toEqual([
      [one, '2026-06', 1, 3],
      [other, '2026-06', 2],
      [one, '2026-07', 4],
    ]);
    expect(new Set(added.map((addition) => addition.shardId))).toEqual(new Set([shardId]));
  });

  it('puts repeats within a batch in order, each once', async () => {
    const { added, count } = recordCounting();
    const records = [3, 1, 2, 3].map((sequence) =>
      buildSentRecord({ organizationId: one, sequence }),
    );

    await count(records);

    const sequences = added[0]?.tally.entries.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual([1, 2, 3]);
  });

  it('skips a record that it cannot read, and reports it', async () => {
    const { added, unreadable, count } = recordCounting();
    const good = buildSentRecord({ organizationId: one, sequence: 2 });

    await count([
      { dynamodb: 'broken' },
      buildEventRecord('read', { organizationId: one, sequence: 1 }),
      good,
    ]);

    expect(unreadable).toEqual([undefined, '1'.padStart(40, '0')]);
    expect(added).toHaveLength(1);
  });

  it('adds nothing for a batch without records', async () => {
    const { added, count } = recordCounting();

    await count([]);

    expect(added).toEqual([]);
  });

  it('fails when one organization could not be counted, after the others were', async () => {
    const { added, count } = recordCounting(async ({ organizationId }) => {
      if (organizationId === one) throw new Error('throttled');
    });
    const records = [
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
    ];

    await expect(count(records)).rejects.toThrow('usage not counted');

    expect(added.map(({ tally }) => tally.organizationId)).toEqual([one, other]);
  });

  it('writes for twenty organizations at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { added, count } = recordCounting(async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
    });
    const records = Array.from({ length: 100 }, (_, sequence) =>
      buildSentRecord({ organizationId: newOrganizationId(), sequence }),
    );

    await count(records);

    expect(added).toHaveLength(100);
    expect(most).toBe(20);
  });
});
