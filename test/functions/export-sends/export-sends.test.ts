import { describe, expect, it } from 'vitest';
import { parseCsv } from '#shared/csv/csv';
import { listSends } from '#shared/send-history/list-sends';
import { endpoint, exportSends } from '../../../functions/export-sends/export-sends.ts';
import { openAccount } from '../../support/account.ts';
import { storeSend } from '../../support/claim-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/**
 * An organization with more sends than a page has.
 *
 * @param stepMs how long each look at the clock takes.
 * @param more what each send has besides.
 */
async function openExport(
  stepMs = 0,
  more: { readonly moreTo?: string[]; readonly subject?: string } = {},
) {
  const account = await openAccount();
  const { table, organizationId, caller, clock } = account;
  const sends = Array.from({ length: 2_050 }, (_, index) =>
    buildSend({
      id: newSendId(organizationId),
      claimedAt: clock.at - index * 1_000,
      status: index === 3 ? 'failed' : 'sent',
      ...more,
    }),
  );
  for (const send of sends) await storeSend(table, send);
  const now = () => {
    clock.at += stepMs;
    return clock.at;
  };
  const run = (query: object = {}) =>
    exportSends({ caller, query: endpoint.query.parse(query) }, { table, now });
  return { ...account, sends, run };
}

const idsIn = (csv: string) => [...parseCsv(csv)].slice(1).map(({ cells: [id] }) => id);

describe('exportSends', () => {
  it('writes every send in the list, newest first, over all pages', async () => {
    const { run, sends } = await openExport();

    const { csv, next } = await run();

    expect(idsIn(csv)).toEqual(sends.map(({ id }) => id));
    expect(next).toBeUndefined();
  });

  it('respects the list’s filters', async () => {
    const { run, sends } = await openExport();

    const { csv } = await run({ status: 'failed' });

    expect(idsIn(csv)).toEqual([sends[3]?.id]);
  });

  it('ends a file when its time is over, and the next one continues with the same filters', async () => {
    const { run, sends } = await openExport(9_000);
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

  it('ends a file before it outgrows an answer of Lambda, however long its rows are', async () => {
    const moreTo = Array.from(
      { length: 49 },
      (_, place) => `${'x'.repeat(60)}${place}@example.com`,
    );
    const { run, sends } = await openExport(0, { moreTo, subject: '"'.repeat(998) });
    const found: (string | undefined)[] = [];
    let query: object | undefined = {};

    while (query !== undefined) {
      const { csv, next } = await run(query);
      expect(JSON.stringify(csv).length).toBeLessThan(6_000_000);
      const ids = idsIn(csv);
      expect(ids.length).toBeGreaterThan(0);
      found.push(...ids);
      query = next;
    }

    expect(found).toEqual(sends.map(({ id }) => id));
  });

  it('is audited once, with the names of its filters and no address', async () => {
    const { run, audit, organizationId } = await openExport(9_000);

    const { next } = await run({ status: 'sent' });
    await run(next);

    expect(await audit()).toMatchObject([
      { action: 'sends.exported', target: organizationId, after: { filters: ['status'] } },
    ]);
  });

  it('rejects a cursor from the list, which would bypass the audit', async () => {
    const { run, caller, table, now, audit } = await openExport();
    const { nextCursor } = await listSends({ caller, query: { limit: 1 } }, { table, now });

    const error = await serviceErrorOf(() => run({ cursor: nextCursor }));

    expect(error.code).toBe('validation_failed');
    expect(await audit()).toEqual([]);
  });
});
