import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { parseCsv } from '#shared/csv/csv';
import type { Send } from '#shared/sending/send';
import { listSends } from '#shared/sends/list-sends';
import { listedAt, type SendListStore, sendPositionSchema } from '#shared/sends/send-list-store';
import { organizationIdOf, slotIdIn } from '#shared/tokens/resource-id';
import { endpoint, exportSends } from '../../../functions/export-sends/export-sends.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const { organizationId, caller, now } = manager;

const sends = Array.from({ length: 250 }, (_, index) =>
  buildSend({
    id: newSendId(organizationId),
    claimedAt: now() - index * 1_000,
    status: index === 3 ? 'failed' : 'sent',
  }),
);

/** Newest first. */
const storeOf = (all: readonly Send[]): SendListStore => ({
  find: async (owner, { before, limit }) =>
    all
      .filter(({ id }) => organizationIdOf(id) === owner)
      .map((send) => ({
        slotId: slotIdIn(send.id),
        position: sendPositionSchema.parse(listedAt(send)),
      }))
      .filter(({ position }) => before === undefined || position < before)
      .slice(0, limit),
  findTo: unexpected('sends.findTo'),
  findWith: unexpected('sends.findWith'),
  get: async (listed) => listed.map(({ slotId }) => all.find(({ id }) => slotIdIn(id) === slotId)),
});

/** @param stepMs how long each look at the clock takes. */
function openExport(stepMs = 0) {
  const { table } = openMemoryTable();
  const range = { before: undefined, limit: 10 };
  const audited = async () => (await listAuditEntries(table, organizationId, range, now())).entries;
  let time = now();
  const listing = {
    sends: storeOf(sends),
    names: {
      byId: unexpected('names.byId'),
      byMessage: unexpected('names.byMessage'),
      byMessageOf: unexpected('names.byMessageOf'),
      byIdempotencyKey: unexpected('names.byIdempotencyKey'),
    },
    now: () => {
      time += stepMs;
      return time;
    },
  };
  const run = (query: object = {}) =>
    exportSends(
      { caller, query: endpoint.query.parse(query) },
      {
        ...listing,
        table,
        causes: { of: async () => () => undefined },
      },
    );
  return { run, listing, audited };
}

const idsIn = (csv: string) => [...parseCsv(csv)].slice(1).map(({ cells: [id] }) => id);

describe('exportSends', () => {
  it('writes every send in the list, newest first, over all pages', async () => {
    const { run } = openExport();

    const { csv, next } = await run();

    expect(idsIn(csv)).toEqual(sends.map(({ id }) => id));
    expect(next).toBeUndefined();
  });

  it('respects the list’s filters', async () => {
    const { run } = openExport();

    const { csv } = await run({ status: 'failed' });

    expect(idsIn(csv)).toEqual([sends[3]?.id]);
  });

  it('ends a file when its time is over, and the next one continues with the same filters', async () => {
    const { run } = openExport(9_000);
    const found: (string | undefined)[] = [];
    let query: object | undefined = { status: 'sent', until: '2100-01-01' };

    for (let files = 0; query !== undefined; files += 1) {
      const { csv, next } = await run(query);
      found.push(...idsIn(csv));
      query = next;
      expect(files).toBeLessThan(10);
    }

    expect(found).toEqual(sends.filter(({ status }) => status === 'sent').map(({ id }) => id));
  });

  it('is audited once, with the names of its filters and no address', async () => {
    const { run, audited } = openExport(9_000);

    const { next } = await run({ status: 'sent' });
    await run(next);

    expect(await audited()).toMatchObject([
      { action: 'sends.exported', target: organizationId, after: { filters: ['status'] } },
    ]);
  });

  it('rejects a cursor from the list, which would bypass the audit', async () => {
    const { run, listing, audited } = openExport();
    const { nextCursor } = await listSends({ caller, query: { limit: 1 } }, listing);

    const error = await serviceErrorOf(() => run({ cursor: nextCursor }));

    expect(error.code).toBe('validation_failed');
    expect(await audited()).toEqual([]);
  });
});
