import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { readStreamRecord } from '#shared/usage/counted-changes';
import { addTags, noTags } from '#shared/usage/tag-summary';
import { addTagUsage, readTagUsage } from '#shared/usage/tag-usage-store';
import { sumUsage } from '#shared/usage/usage-counts';
import { addUsage, readUsage } from '#shared/usage/usage-store';
import { tallyUsage } from '#shared/usage/usage-tally';
import {
  buildEventRecord,
  buildSentRecord,
  type StreamRecord,
} from '../../support/counted-changes-builder.ts';

export const shardId = 'shardId-00000001700000000000-00000001';

/** Counts into a table, and reads the result. */
export const openUsage = (table: Table) => ({
  /** Hands over one batch of a shard, as count-usage does. */
  deliver: async (records: readonly StreamRecord[], shard = shardId): Promise<void> => {
    const entries = records.flatMap((record) => {
      const reading = readStreamRecord(record);
      return reading.kind === 'counts' ? [reading.entry] : [];
    });
    const tagged = entries.filter(({ tags = [] }) => tags.length > 0);
    await Promise.all([
      ...tallyUsage(entries).map((tally) => addUsage(table, shard, tally)),
      ...tallyUsage(tagged).map((tally) => addTagUsage(table, shard, tally)),
    ]);
  },

  tagsOf: async (organizationId: OrganizationId) => readTagUsage(table, organizationId, '2026-06'),

  totalOf: async (organizationId: OrganizationId, from = '2026-06', to = from) => {
    const parts = await readUsage(table, organizationId, { from, to });
    return sumUsage(parts.map(({ counts }) => counts));
  },
});

/** A first delivery of the next records, then repeats of any earlier stretch. */
const stretch = fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 12 }) });
const steps = fc.array(
  fc.record({
    fresh: fc.integer({ min: 1, max: 8 }),
    overlap: fc.nat({ max: 4 }),
    repeats: fc.array(stretch, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);
const isSend = fc.infiniteStream(fc.boolean());

/** Tests that this many ways to cut the same records into batches give the same totals. */
export function testUsageBatches(openTable: () => Table, numRuns: number): void {
  it('usage has the same totals, however the records are cut into batches and repeated', async () => {
    const { deliver, totalOf, tagsOf } = openUsage(openTable());
    const cuts = fc.asyncProperty(steps, isSend, async (deliveries, kinds) => {
      const organizationId = newOrganizationId();
      const count = deliveries.reduce((sum, { fresh }) => sum + fresh, 0);
      const records = Array.from({ length: count }, (_, index) => {
        // Of different lengths, so that text order is not the order of numbers.
        const facts = { organizationId, sequence: (index + 1) * 7 };
        const tags = { tags: { M: { kind: { S: `kind-${index % 3}` }, env: { S: 'prod' } } } };
        return kinds.next().value
          ? buildSentRecord(facts, index % 4 === 0 ? {} : tags)
          : buildEventRecord('opened', facts);
      });

      let delivered = 0;
      for (const { fresh, overlap, repeats } of deliveries) {
        await deliver(records.slice(Math.max(0, delivered - overlap), delivered + fresh));
        delivered += fresh;
        for (const { from, length } of repeats) {
          const start = from % delivered;
          await deliver(records.slice(start, Math.min(delivered, start + length)));
        }
      }

      const sent = records.filter(
        ({ dynamodb }) => dynamodb.NewImage?.['status'] !== undefined,
      ).length;
      expect(await totalOf(organizationId)).toEqual(
        sumUsage([{ sends: sent, recipients: sent, sent, opened: count - sent }]),
      );
      const given = records.flatMap((record) => {
        const reading = readStreamRecord(record);
        return reading.kind === 'counts' ? (reading.entry.tags ?? []) : [];
      });
      expect(await tagsOf(organizationId)).toEqual(addTags(noTags, given));
    });

    await fc.assert(cuts, { numRuns });
  });
}
