import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '#shared/access/refusal';
import { listRefusals } from '#shared/access/refusal-list-store';
import { refusalKey } from '#shared/table/keys';
import { maxExamined } from '#shared/table/list-search';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildRefusal } from '../../support/refusal-builder.ts';

const now = 1_750_000_020_000;
const minute = 60_000;
const organizationId = newOrganizationId();

/** Twenty keys that were each refused in as many different ways as there are slots, in one minute. */
const crowd = Array.from({ length: 20 }, () => newApiKeyId(organizationId)).flatMap((apiKeyId) =>
  Array.from({ length: 32 }, (_, place) => ({
    place,
    refusal: buildRefusal({ apiKeyId, at: now + ((place * 37) % 60) * 1_000 }),
  })),
);
const later = buildRefusal({ apiKeyId: newApiKeyId(organizationId), at: now + minute + 5 });
const earlier = buildRefusal({ apiKeyId: newApiKeyId(organizationId), at: now - 5 });

async function openCrowdedTable() {
  let read = 0;
  const { table } = openMemoryTable({
    intercept: async (_call, run) => {
      const answer = await run();
      if ('Items' in answer && Array.isArray(answer.Items)) read += answer.Items.length;
      return answer;
    },
  });
  const others = [later, earlier].map((refusal) => ({ refusal, place: 0 }));
  for (const { refusal, place } of [...crowd, ...others]) {
    const key = refusalKey(refusal.apiKeyId, refusal.at - (refusal.at % minute), place);
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...key, ...refusal } }),
    );
  }
  type Page = Awaited<ReturnType<typeof listRefusals>>;
  return {
    page: async (before: Page['next']) => {
      read = 0;
      const page = await listRefusals(
        table,
        organizationId,
        { limit: 100, before },
        now + 2 * minute,
      );
      return { ...page, read };
    },
  };
}

const nameOf = ({ apiKeyId, at, fields }: Refusal) => `${apiKeyId} ${at} ${fields}`;

describe('a minute with more refusals than one search may read', () => {
  it('is listed completely, page by page, and no page reads much more than the limit', async () => {
    const { page } = await openCrowdedTable();

    const found: Refusal[] = [];
    const reads: number[] = [];
    let before: Awaited<ReturnType<typeof page>>['next'];
    do {
      const next = await page(before);
      found.push(...next.found);
      reads.push(next.read);
      before = next.next;
    } while (before !== undefined);

    const all = [later, ...crowd.map(({ refusal }) => refusal), earlier];
    expect(found.map(nameOf).toSorted()).toEqual(all.map(nameOf).toSorted());
    expect(found[0]).toEqual(later);
    expect(found.at(-1)).toEqual(earlier);
    expect(Math.min(...reads)).toBeGreaterThan(0);
    expect(Math.max(...reads)).toBeLessThan(2 * maxExamined);
  });
});
