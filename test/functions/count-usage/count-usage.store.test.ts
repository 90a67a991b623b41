import { expect, it } from 'vitest';
import {
  apiKeyOwnPart,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { sumUsage } from '#shared/usage/usage-counts';
import { readUsage } from '#shared/usage/usage-store';
import { countUsage } from '../../../functions/count-usage/count-usage.ts';
import { buildSentRecord, recordedAt } from '../../support/counted-changes-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { unexpected } from '../../support/unexpected.ts';

const table = openStoreTable();
const counting = {
  now: () => recordedAt,
  table,
  limitsOfDeployment: {},
  reportUnreadable: unexpected('reportUnreadable'),
  reportUncounted: unexpected('reportUncounted'),
  reportQuota: unexpected('reportQuota'),
  reportUnwatched: unexpected('reportUnwatched'),
};

const sendsOf = async (organizationId: OrganizationId) => {
  const parts = await readUsage(table, organizationId, { from: '2026-06', to: '2026-06' });
  return sumUsage(parts.map(({ counts }) => counts)).sends;
};

it('an organization that sends with 30,000 keys is counted exactly, and delays nobody', async () => {
  const [crowd, neighbour] = [newOrganizationId(), newOrganizationId()];
  const [batches, sendsOfBatch] = [30, 1_000];

  for (let batch = 0; batch < batches; batch += 1) {
    const first = batch * (sendsOfBatch + 1);
    const records = Array.from({ length: sendsOfBatch }, (_, index) =>
      buildSentRecord(
        { organizationId: crowd, sequence: first + index },
        { apiKey: { S: apiKeyOwnPart(newApiKeyId(crowd)) } },
      ),
    );
    const last = buildSentRecord({ organizationId: neighbour, sequence: first + sendsOfBatch });
    await countUsage({ shardId: 'shardId-1', Records: [...records, last] }, counting);
  }

  expect(await sendsOf(crowd)).toBe(batches * sendsOfBatch);
  expect(await sendsOf(neighbour)).toBe(batches);
});
