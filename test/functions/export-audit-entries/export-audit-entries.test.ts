import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { appendAuditEntry } from '#shared/audit/audit-store';
import { workBudgetMs } from '#shared/config/work-budget';
import { parseCsv } from '#shared/csv/csv';
import { newSessionId, personalKeyIdOf } from '#shared/tokens/resource-id';
import {
  endpoint,
  exportAuditEntries,
} from '../../../functions/export-audit-entries/export-audit-entries.ts';
import { openPeople } from '../../support/people.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

async function prepare() {
  const people = await openPeople();
  const { caller, table, organizationId, clock } = people;
  const run = (query: object = {}, now = people.now) =>
    exportAuditEntries({ caller, query: endpoint.query.parse(query) }, { ...people, now });
  const session = newSessionId(organizationId);
  /** A change by somebody signed in with that address. */
  const changeBy = async (email: string, after: Readonly<Record<string, unknown>> = {}) => {
    clock.at += 1;
    const key = personalKeyIdOf(organizationId, email);
    const change = { action: 'template.updated', target: '=1+1', after };
    const actor = { key, session, isPerson: true } as const;
    await appendAuditEntry(table, newAuditEntry(organizationId, actor, change, clock.at));
    return key;
  };
  return { ...people, run, session, changeBy };
}

const rowsOf = (csv: string) => [...parseCsv(csv)].map(({ cells }) => cells);

describe('exportAuditEntries', () => {
  it('writes a row for each entry, with the person and the session, formulas defused', async () => {
    const { run, invite, session, changeBy, clock, organizationId } = await prepare();
    await invite('ann@example.com', 'developer');
    const key = await changeBy('ann@example.com', { name: '=cmd' });
    const at = new Date(clock.at).toISOString();
    clock.at += 1;

    const { csv, next } = await run();

    const [header, own, changed] = rowsOf(csv);
    expect(header).toEqual([
      ...['id', 'at', 'action', 'target', 'actor', 'person', 'session', 'before', 'after'],
    ]);
    expect(own?.slice(2, 4)).toEqual(['audit.exported', organizationId]);
    expect(changed?.slice(1)).toEqual([
      ...[at, 'template.updated', "'=1+1", key, 'ann@example.com', session, ''],
      '{"name":"=cmd"}',
    ]);
    expect(next).toBeUndefined();
  });

  it.each(['Ann@example.com', 'id'])('writes only what one person did, by %s', async (by) => {
    const { run, changeBy } = await prepare();
    const ann = await changeBy('ann@example.com');
    await changeBy('bea@example.com');

    const { csv } = await run({ person: by === 'id' ? ann : by });

    expect(rowsOf(csv).map(([, , , , actor]) => actor)).toEqual(['actor', ann]);
  });

  it('refuses what is neither an address nor an ID', () => {
    expect(endpoint.query.safeParse({ person: 'ann' }).success).toBe(false);
    expect(endpoint.query.safeParse({ person: 'ann@' }).success).toBe(false);
  });

  it('audits who exported, once for all files', async () => {
    const { run, changeBy, audit, apiKey, now } = await prepare();
    for (let count = 0; count < 150; count += 1) await changeBy('ann@example.com');
    let reads = 0;
    const slow = () => now() + (reads++ > 1 ? workBudgetMs : 0);

    const first = await run({}, slow);
    const second = await run(first.next);

    const rows = [first, second].map(({ csv }) => rowsOf(csv).length - 1);
    expect(rows).toEqual([100, 51]);
    expect(second.next).toBeUndefined();
    const exported = (await audit()).filter(({ action }) => action === 'audit.exported');
    expect(exported).toMatchObject([{ actor: apiKey.id, after: {} }]);
  });

  it('ends a file before it is too large for an answer', async () => {
    const { run, changeBy } = await prepare();
    const text = 'x'.repeat(15_000);
    for (let count = 0; count < 250; count += 1) await changeBy('ann@example.com', { text });

    const first = await run({ person: 'ann@example.com' });
    const second = await run(first.next);

    expect(rowsOf(first.csv)).toHaveLength(201);
    expect(rowsOf(second.csv)).toHaveLength(51);
  });

  it('refuses a cursor for somebody else', async () => {
    const { run, changeBy } = await prepare();
    for (let count = 0; count < 101; count += 1) await changeBy('ann@example.com');
    let reads = 0;
    const { next } = await run({}, () => (reads++ > 1 ? workBudgetMs : 0));

    const error = await serviceErrorOf(() => run({ ...next, person: 'bea@example.com' }));

    expect(error.code).toBe('validation_failed');
  });
});
