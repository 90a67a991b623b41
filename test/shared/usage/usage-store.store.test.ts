import { describe, expect, it } from 'vitest';
import { keyDayKey, usageKey } from '#shared/table/keys';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { countOnce } from '#shared/usage/counter-store';
import { sumUsage } from '#shared/usage/usage-counts';
import {
  maxDaysAtOnce,
  readMilestones,
  readUsage,
  readUsageCounts,
  readUsageDays,
} from '#shared/usage/usage-store';
import {
  buildEventRecord,
  buildHardenedRecord,
  buildMessageRecord,
  buildSentRecord,
} from '../../support/counted-changes-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { openUsage, shardId, testUsageBatches } from './usage-batches.ts';

const table = openStoreTable();
const { deliver, totalOf } = openUsage(table);

/** The counted days, in their order. */
async function daysOf(organizationId: OrganizationId, from: string, to: string) {
  const parts = await readUsageDays(table, organizationId, { from, to });
  const byDay = [...Map.groupBy(parts, ({ day }) => day)].toSorted();
  return Object.fromEntries(
    byDay.map(([day, its]) => [day, sumUsage(its.map(({ counts }) => counts))]),
  );
}

const sends = (organizationId: OrganizationId, ...sequences: readonly number[]) =>
  sequences.map((sequence) => buildSentRecord({ organizationId, sequence }));

describe('addUsage', () => {
  it('adds up every counter of a batch', async () => {
    const organizationId = newOrganizationId();
    const attached = { attachmentCount: { N: '2' }, attachmentBytes: { N: '4000000' } };

    await deliver([
      buildSentRecord({ organizationId, sequence: 1 }, attached),
      buildSentRecord({ organizationId, sequence: 2 }, { endpoint: { S: 'send-global' } }),
    ]);
    await deliver([
      buildMessageRecord({ organizationId, sequence: 3 }),
      buildSentRecord({ organizationId, sequence: 4 }, attached),
      buildEventRecord('bounced', { organizationId, sequence: 5 }),
    ]);

    expect(await totalOf(organizationId)).toEqual(
      sumUsage([
        { sends: 3, recipients: 3, globalSends: 1, attachments: 4, attachmentBytes: 8_000_000 },
        { sent: 4, bounced: 1, softBounced: 1, bouncedRecipients: 1 },
      ]),
    );
  });

  it('counts only what is new in a batch that is cut differently the second time', async () => {
    const organizationId = newOrganizationId();
    await deliver(sends(organizationId, 1, 2, 3));

    await deliver(sends(organizationId, 2, 3, 4, 5));

    expect(await totalOf(organizationId)).toMatchObject({ sends: 5 });
  });

  it('counts each once when the same batch arrives twice concurrently', async () => {
    const organizationId = newOrganizationId();
    const batch = sends(organizationId, 1, 2, 3);

    await Promise.all(Array.from({ length: 10 }, () => deliver(batch)));

    expect(await totalOf(organizationId)).toMatchObject({ sends: 3 });
  });

  it('keeps a mark per shard, as their sequences have no common order', async () => {
    const organizationId = newOrganizationId();

    await deliver(sends(organizationId, 100), 'shardId-1');
    await deliver(sends(organizationId, 1), 'shardId-2');

    expect(await totalOf(organizationId)).toMatchObject({ sends: 2 });
  });

  it('counts each organization and month separately', async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()];
    const newYear = Date.UTC(2027, 0, 1);

    await deliver([
      buildSentRecord({ organizationId: one, sequence: 1, at: newYear - 1 }),
      buildSentRecord({ organizationId: one, sequence: 2, at: newYear }),
      buildSentRecord({ organizationId: one, sequence: 3, at: newYear - 1 }),
      buildSentRecord({ organizationId: other, sequence: 4, at: newYear }),
    ]);

    expect(await totalOf(one, '2026-12')).toMatchObject({ sends: 2 });
    expect(await totalOf(one, '2027-01')).toMatchObject({ sends: 1 });
    expect(await totalOf(other, '2026-01', '2027-12')).toMatchObject({ sends: 1 });
  });

  it('counts each day beside its month, in UTC, once', async () => {
    const organizationId = newOrganizationId();
    const midnight = Date.UTC(2026, 5, 10);
    const facts = [midnight - 1, midnight, midnight].map((at, index) => ({
      organizationId,
      sequence: index + 1,
      at,
    }));
    const batch = [
      ...facts.map((fact) => buildSentRecord(fact)),
      buildEventRecord('bounced', { organizationId, sequence: 4, at: midnight }),
    ];

    await deliver(batch);
    await deliver(batch.slice(1));
    await deliver([buildSentRecord({ organizationId, sequence: 5, at: midnight })], 'shardId-2');

    expect(await daysOf(organizationId, '2026-06-01', '2026-06-30')).toEqual({
      '2026-06-09': sumUsage([{ sends: 1, recipients: 1, sent: 1 }]),
      '2026-06-10': sumUsage([
        { sends: 3, recipients: 3, sent: 3, bounced: 1, softBounced: 1, bouncedRecipients: 1 },
      ]),
    });
    expect(Object.keys(await daysOf(organizationId, '2026-06-10', '2026-07-01'))).toEqual([
      '2026-06-10',
    ]);
    expect(await totalOf(organizationId)).toMatchObject({ sends: 4, bounced: 1 });
  });

  it('takes back a soft bounce that turns out hard, alone in its batch', async () => {
    const organizationId = newOrganizationId();
    await deliver([buildEventRecord('bounced', { organizationId, sequence: 1 })]);

    await deliver([buildHardenedRecord({ organizationId, sequence: 2 })]);

    expect(await totalOf(organizationId)).toMatchObject({ bounced: 1, softBounced: 0 });
    expect(await daysOf(organizationId, '2026-06-01', '2026-06-30')).toMatchObject({
      '2026-06-15': { bounced: 1, softBounced: 0 },
    });
  });

  it('takes back a soft bounce beside other counts, and before its shard has counted any', async () => {
    const [one, other] = [newOrganizationId(), newOrganizationId()];

    await deliver([
      buildEventRecord('bounced', { organizationId: one, sequence: 1 }),
      buildHardenedRecord({ organizationId: one, sequence: 2 }),
      buildHardenedRecord({ organizationId: other, sequence: 3 }),
    ]);
    await deliver([buildEventRecord('bounced', { organizationId: one, sequence: 4 })]);
    await deliver([buildEventRecord('bounced', { organizationId: other, sequence: 5 })], 'shard-2');

    expect(await totalOf(one)).toMatchObject({ bounced: 2, softBounced: 1 });
    expect(await totalOf(other)).toMatchObject({ bounced: 1, softBounced: 0 });
  });

  it('counts more days than one expression can name, each once', async () => {
    const organizationId = newOrganizationId();
    const kinds = ['delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;
    const days = Array.from({ length: 30 }, (_, index) => index + 1);
    const attached = { attachmentCount: { N: '1' }, attachmentBytes: { N: '9' } };
    const batch = days.flatMap((day) =>
      [...kinds, 'sent' as const].map((kind, index) => {
        const facts = { organizationId, sequence: day * 10 + index, at: Date.UTC(2026, 5, day) };
        return kind === 'sent'
          ? buildSentRecord(facts, { endpoint: { S: 'send-global' }, ...attached })
          : buildEventRecord(kind, facts);
      }),
    );

    await deliver(batch);
    await deliver(batch);

    const one = {
      sends: 1,
      recipients: 1,
      sent: 1,
      globalSends: 1,
      attachments: 1,
      attachmentBytes: 9,
      softBounced: 1,
      bouncedRecipients: 1,
      complainedRecipients: 1,
    };
    const counts = sumUsage([one, ...kinds.map((kind) => ({ [kind]: 1 }))]);
    const found = await daysOf(organizationId, '2026-06-01', '2026-06-30');
    expect(days.length).toBeGreaterThan(maxDaysAtOnce);
    expect(Object.keys(found)).toHaveLength(30);
    expect(Object.values(found)).toEqual(days.map(() => counts));
    expect(await totalOf(organizationId)).toMatchObject({ sends: 30, clicked: 30 });
  });

  it('has no days for what was counted before days were', async () => {
    const organizationId = newOrganizationId();
    const item = {
      key: usageKey(organizationId, '2026-06', shardId),
      attributes: { month: '2026-06' },
    };
    await countOnce(table, item, [{ sequence: '1', counts: { sends: 7 } }]);

    expect(await daysOf(organizationId, '2026-06-01', '2026-06-30')).toEqual({});
    expect(await totalOf(organizationId)).toMatchObject({ sends: 7 });
  });
});

// More cuts run on the table in memory: `usage-batches.test.ts`.
testUsageBatches(() => table, 3);

describe('readUsage', () => {
  it('reads only the requested months, including the first and last', async () => {
    const organizationId = newOrganizationId();
    const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-10'];
    await deliver(
      months.map((month, sequence) =>
        buildSentRecord({ organizationId, sequence, at: Date.parse(`${month}-15`) }),
      ),
    );

    const read = await readUsage(table, organizationId, {
      from: '2026-01',
      to: '2026-03',
    });

    expect(read.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03']);
  });

  it('reads nothing for an organization without use', async () => {
    const period = { from: '2025-01', to: '2026-12' };

    expect(await readUsage(table, newOrganizationId(), period)).toEqual([]);
  });
});

describe('readCounts', () => {
  it("sums all shards' counts of a month", async () => {
    const organizationId = newOrganizationId();
    const at = Date.parse('2026-02-15');
    for (const shardId of ['shardId-1', 'shardId-2']) {
      const records = [1, 2].map((sequence) => buildSentRecord({ organizationId, sequence, at }));
      await deliver(records, shardId);
    }

    const counts = await readUsageCounts(table, organizationId, '2026-02');

    expect(counts).toEqual(sumUsage([{ sends: 4, recipients: 4, sent: 4 }]));
    expect(await readUsageCounts(table, organizationId, '2026-03')).toEqual(sumUsage([]));
  });
});

describe('readMilestones', () => {
  it("finds nothing for an organization that never sent, even beside its keys' days", async () => {
    const organizationId = newOrganizationId();
    const item = { key: keyDayKey(organizationId, '2026-06-01', shardId), attributes: {} };
    await countOnce(table, item, [{ sequence: '1', counts: { delivered: 1, sends: 1 } }]);

    expect(await readMilestones(table, organizationId)).toEqual({
      hasSent: false,
      hasDelivered: false,
    });
  });

  it('finds what was sent and never delivered', async () => {
    const organizationId = newOrganizationId();
    await deliver(sends(organizationId, 1));
    await deliver([buildEventRecord('bounced', { organizationId, sequence: 2 })]);

    expect(await readMilestones(table, organizationId)).toEqual({
      hasSent: true,
      hasDelivered: false,
    });
  });

  it('finds an old delivery behind many shards without one', async () => {
    const organizationId = newOrganizationId();
    const event = (type: 'opened' | 'delivered', month: string, shard: number) => {
      const key = usageKey(organizationId, month, `shardId-${shard}`);
      return countOnce(table, { key, attributes: { month } }, [
        { sequence: '1', counts: { [type]: 1 } },
      ]);
    };
    await event('delivered', '2021-02', 0);
    await Promise.all(Array.from({ length: 45 }, (_, shard) => event('opened', '2026-06', shard)));

    expect(await readMilestones(table, organizationId)).toEqual({
      hasSent: true,
      hasDelivered: true,
    });
  });
});
