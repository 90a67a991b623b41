import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { parseCsv } from '#shared/csv/csv';
import {
  endpoint,
  exportSuppressions,
} from '../../../functions/export-suppressions/export-suppressions.ts';
import { readImport } from '../../../functions/import-suppressions/read-import.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';

const manager = buildManager();
const { organizationId } = manager;
const all = [
  buildSuppression(organizationId, {
    at: 3_000,
    address: 'Ann@example.com',
    diagnostic: '=cmd, "x"',
  }),
  buildSuppression(organizationId, { at: 2_000, reason: 'unsubscribe', email: '+ben@example.org' }),
  { ...buildSuppression(organizationId, { at: 1_000 }), email: undefined },
];
const { table } = openMemoryTable();
/** Newest first. */
const exported = async () =>
  (await listAuditEntries(table, organizationId, { before: undefined, limit: 100 }, manager.now()))
    .entries;
const run = (query: object = {}, suppressions = fakeSuppressionList(all), now = manager.now) =>
  exportSuppressions(
    { caller: manager.caller, query: endpoint.query.parse(query) },
    { table, now, suppressions },
  );

describe('exportSuppressions', () => {
  it('writes a row for each suppression, with formulas defused, and none for erased people', async () => {
    const { csv, next } = await run();

    expect([...parseCsv(csv)].map(({ cells }) => cells)).toEqual([
      ['email', 'reason', 'at', 'diagnostic'],
      ['Ann@example.com', 'bounce', '1970-01-01T00:00:03.000Z', '\'=cmd, "x"'],
      ["'+ben@example.org", 'unsubscribe', '1970-01-01T00:00:02.000Z', ''],
    ]);
    expect(next).toBeUndefined();
  });

  it('writes a file that an import reads back unchanged', async () => {
    const { csv } = await run();

    const { suppressions, refused } = readImport(csv, undefined, 10_000);

    expect(refused).toEqual([]);
    expect(suppressions).toMatchObject([
      {
        identity: 'ann@example.com',
        reason: 'bounce',
        details: { at: 3_000, diagnostic: '=cmd, "x"' },
      },
      { identity: '+ben@example.org', reason: 'unsubscribe', details: { at: 2_000 } },
    ]);
  });

  it('audits who exported what', async () => {
    await run({ reason: 'bounce' });

    expect(await exported()).toContainEqual(
      expect.objectContaining({
        actor: manager.actor,
        action: 'suppressions.exported',
        target: organizationId,
        after: { reason: 'bounce' },
      }),
    );
  });

  it('writes only the requested reason', async () => {
    const { csv } = await run({ reason: 'unsubscribe' });

    expect([...parseCsv(csv)]).toHaveLength(2);
  });

  it('returns the query for the next file when a file is full', async () => {
    const diagnostic = 'x'.repeat(25_000);
    const many = Array.from({ length: 101 }, (_, index) =>
      buildSuppression(organizationId, { at: index, email: `p${index}@example.com`, diagnostic }),
    );
    const { next } = await run({ reason: 'bounce' }, fakeSuppressionList(many));

    const before = await exported();
    const last = await run(next, fakeSuppressionList(many));
    const error = await serviceErrorOf(() =>
      run({ cursor: next?.cursor }, fakeSuppressionList(many)),
    );

    expect(next?.reason).toBe('bounce');
    expect([...parseCsv(last.csv)].map(({ cells }) => cells[0])).toEqual([
      'email',
      'p0@example.com',
    ]);
    expect(last.next).toBeUndefined();
    expect(await exported(), 'the next file is part of the same export').toEqual(before);
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });

  it('limits a file by bytes, as characters beyond ASCII take up to three', async () => {
    const diagnostic = '不'.repeat(10_000);
    const many = Array.from({ length: 101 }, (_, index) =>
      buildSuppression(organizationId, { at: index, email: `p${index}@example.com`, diagnostic }),
    );

    const { csv, next } = await run({ reason: 'bounce' }, fakeSuppressionList(many));

    expect([...parseCsv(csv)]).toHaveLength(101);
    expect(next).toBeDefined();
  });

  it('ends in time, and returns the query for the rest', async () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      buildSuppression(organizationId, { at: index, email: `p${index}@example.com` }),
    );
    let clock = manager.now();
    const table = fakeSuppressionList(many);
    const slow: typeof table = {
      ...table,
      find: (...args) => {
        clock += 20_000;
        return table.find(...args);
      },
    };

    const first = await run({}, slow, () => clock);
    const rest = await run(first.next, table);

    expect([...parseCsv(first.csv)]).toHaveLength(101);
    expect([...parseCsv(rest.csv)]).toHaveLength(51);
    expect(rest.next).toBeUndefined();
  });
});
