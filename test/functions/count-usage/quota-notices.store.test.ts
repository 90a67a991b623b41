import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { takeRequestQuota } from '#shared/access/request-quota-store';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  countUsage,
  tableStreamEventSchema,
  type UsageCounting,
} from '../../../functions/count-usage/count-usage.ts';
import { usageStream } from '../../../infra/constructs/pipelines/table-stream-settings.ts';
import { startTableStreamTrigger } from '../../../infra/local/dynamodb/table-stream.ts';
import { buildQuotaRecord, buildSentRecord } from '../../support/counted-changes-builder.ts';
import { Death, dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { dueNoticesIn } from '../../support/notice-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { patience } from '../../support/patience.ts';
import { unexpected } from '../../support/unexpected.ts';

const table = await openOwnTable({ hasStream: true });
const at = Date.UTC(2026, 5, 15);

/** What a process counts with. */
const countingIn = (process: Table): UsageCounting => ({
  now: () => at,
  table: process,
  limitsOfDeployment: {},
  reportUnreadable: unexpected('reportUnreadable'),
  reportUncounted: unexpected('reportUncounted'),
  reportQuota: () => {},
  reportUnwatched: (error) => expect(error).toBeInstanceOf(Death),
});

const noticesOf = async (id: OrganizationId) =>
  (await dueNoticesIn(table, at))
    .filter(({ organizationId }) => organizationId === id)
    .map(({ about }) => about)
    .toSorted();

/** A batch after which all of a limit of 10 is used. */
const batches = {
  recipients: (organizationId: OrganizationId) =>
    Array.from({ length: 10 }, (_, sequence) => buildSentRecord({ organizationId, sequence, at })),
  changes: (organizationId: OrganizationId) => {
    const use = { name: 'CHANGES', at, most: 10 };
    return [buildQuotaRecord({ organizationId }, { ...use, used: 9 }, { ...use, used: 10 })];
  },
};

async function storeOrganization() {
  const organization = buildOrganization({ limits: { recipientsPerDay: 10 } });
  await putOrganization(table, organization);
  return organization.id;
}

it.each([
  { of: 'recipients', about: 'recipientsPerDay-100' },
  { of: 'changes', about: 'changesPerDay-100' },
] as const)(
  '$of used up causes one notice, whichever write the first process died before',
  async ({ of, about }) => {
    let writes = Infinity;
    for (let death = 1; death <= writes + 1; death += 1) {
      const id = await storeOrganization();
      const event = { shardId: `shardId-${death}`, Records: batches[of](id) };
      // Lambda delivers the batch again, whatever this process has made of its fault.
      await countUsage(event, countingIn(dyingTable(death))).catch(() => {});

      let made = 0;
      const second = interceptWrites((write) => {
        made = write;
      });
      await countUsage(event, countingIn(second));
      writes = Math.min(writes, made);

      expect(await noticesOf(id)).toEqual([about]);
    }
  },
);

it('two processes that report a limit at once leave one notice', async () => {
  const id = newOrganizationId();
  const event = { shardId: 'shardId-1', Records: batches.changes(id) };

  await Promise.all([1, 2].map(() => countUsage(event, countingIn(table))));

  expect(await noticesOf(id)).toEqual(['changesPerDay-100']);
});

it("a limit's used part and its first refusal become notices through the stream", async () => {
  const [busy, stopped, other] = [newOrganizationId(), newOrganizationId(), newOrganizationId()];
  const taken = [
    await takeRequestQuota(table, busy, 'UPLOADS', 80, 100, at),
    await takeRequestQuota(table, stopped, 'WAITING', 95, 100, at),
    await takeRequestQuota(table, stopped, 'WAITING', 6, 100, at),
    await takeRequestQuota(table, other, 'CONTACTS', 79, 100, at),
    await takeRequestQuota(table, other, 'CONTACTS', 101, 100, at),
  ];
  const faults: unknown[] = [];
  const trigger = startTableStreamTrigger({
    endpoint: inject('dynamodbEndpoint'),
    tableName: table.name,
    settings: usageStream,
    everyMs: 50,
    report: (fault) => faults.push(fault),
    invoke: async (event) => {
      await countUsage(tableStreamEventSchema.parse(event), countingIn(table));
      return { state: {} };
    },
  });
  onTestFinished(trigger.stop);

  await vi.waitFor(async () => {
    expect(await noticesOf(busy)).toEqual(['uploadBytesPerDay-80']);
    // Told in one batch, 95% and the refusal are one notice.
    expect(await noticesOf(stopped)).toContain('waitingBytesPerDay-100');
  }, patience);
  expect(await noticesOf(other)).toEqual([]);
  expect(taken).toEqual([true, true, false, true, false]);
  expect(faults).toEqual([]);
});
