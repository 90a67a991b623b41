import { describe, expect, it } from 'vitest';
import { workBudgetMs } from '#shared/config/work-budget';
import { eraseContact } from '#shared/contacts/contact-store';
import { parseCsv } from '#shared/csv/csv';
import type { SuppressionDetails } from '#shared/suppressions/suppression';
import { contactIdOf } from '#shared/tokens/resource-id';
import {
  endpoint,
  exportSuppressions,
} from '../../../functions/export-suppressions/export-suppressions.ts';
import { readImport } from '../../../functions/import-suppressions/read-import.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openSuppressionAccount } from '../../support/suppression-account.ts';

async function prepare() {
  const account = await openSuppressionAccount();
  const run = (query: object = {}, now = account.now) =>
    exportSuppressions(
      { caller: account.caller, query: endpoint.query.parse(query) },
      { ...account, now },
    );
  return { ...account, run };
}

/** A formula, a person who unsubscribed, and one who was erased. */
async function prepareThree() {
  const account = await prepare();
  const { suppress, table, organizationId, now } = account;
  await suppress('bounce', { at: 3_000, address: 'Ann@example.com', diagnostic: '=cmd, "x"' });
  await suppress('unsubscribe', { at: 2_000 }, '+ben@example.org');
  await suppress('bounce', { at: 1_000 }, 'cy@example.org');
  await eraseContact(table, contactIdOf(organizationId, 'cy@example.org'), now());
  return account;
}

/** That many bounces, the oldest first. */
async function prepareMany(count: number, details: SuppressionDetails = {}) {
  const account = await prepare();
  for (let at = 0; at < count; at += 1) {
    await account.suppress('bounce', { at, ...details }, `p${at}@example.com`);
  }
  return account;
}

describe('exportSuppressions', () => {
  it('writes a row for each suppression, with formulas defused, and none for erased people', async () => {
    const { run } = await prepareThree();

    const { csv, next } = await run();

    expect([...parseCsv(csv)].map(({ cells }) => cells)).toEqual([
      ['email', 'reason', 'at', 'diagnostic'],
      ['Ann@example.com', 'bounce', '1970-01-01T00:00:03.000Z', '\'=cmd, "x"'],
      ["'+ben@example.org", 'unsubscribe', '1970-01-01T00:00:02.000Z', ''],
    ]);
    expect(next).toBeUndefined();
  });

  it('writes a file that an import reads back unchanged', async () => {
    const { run } = await prepareThree();

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
    const { run, audit, apiKey, organizationId } = await prepareThree();

    await run({ reason: 'bounce' });

    expect(await audit()).toMatchObject([
      {
        actor: apiKey.id,
        action: 'suppressions.exported',
        target: organizationId,
        after: { reason: 'bounce' },
      },
    ]);
  });

  it('writes only the requested reason', async () => {
    const { run } = await prepareThree();

    const { csv } = await run({ reason: 'unsubscribe' });

    expect([...parseCsv(csv)]).toHaveLength(2);
  });

  it('returns the query for the next file when a file is full by bytes, three for each character', async () => {
    const { run, audit } = await prepareMany(901, { diagnostic: '不'.repeat(1_000) });
    const { next } = await run({ reason: 'bounce' });
    const before = await audit();

    const last = await run(next);
    const error = await serviceErrorOf(() => run({ cursor: next?.cursor }));

    expect(next?.reason).toBe('bounce');
    expect([...parseCsv(last.csv)].map(({ cells }) => cells[0])).toEqual([
      'email',
      'p0@example.com',
    ]);
    expect(last.next).toBeUndefined();
    expect(await audit(), 'the next file is part of the same export').toEqual(before);
    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'cursor' }] });
  });

  it('ends in time, and returns the query for the rest', async () => {
    const { run } = await prepareMany(150);
    let at = 0;
    const slow = () => {
      at += workBudgetMs / 2;
      return at;
    };

    const first = await run({}, slow);
    const rest = await run(first.next);

    expect([...parseCsv(first.csv)]).toHaveLength(101);
    expect([...parseCsv(rest.csv)]).toHaveLength(51);
    expect(rest.next).toBeUndefined();
  });
});
