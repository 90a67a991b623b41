import { describe, expect, it } from 'vitest';
import { workBudgetMs } from '#shared/config/work-budget';
import type { Organization } from '#shared/organizations/organization';
import { maxRows, rowsPerSecond } from '#shared/suppressions/import-row';
import { beginImport, endImport } from '#shared/suppressions/suppression-import-store';
import { endpoint } from '../../../functions/import-suppressions/import-suppressions.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openSuppressionAccount } from '../../support/suppression-account.ts';
import { unexpected } from '../../support/unexpected.ts';

async function prepare(given: Partial<Organization> = {}) {
  const account = await openSuppressionAccount(given);
  const pacing = { now: account.now, sleep: async (_ms: number): Promise<unknown> => undefined };
  return {
    ...account,
    pacing,
    run: (body: string, query: object = {}) =>
      endpoint.run(
        { ...account, query: endpoint.query.parse(query), body },
        { ...account, ...pacing },
      ),
    /** How many suppressions are stored. */
    count: () =>
      account.items().filter((item) => `${item['gsi2pk']}`.includes('SUPPRESSIONS')).length,
  };
}

const fileOf = (rows: number) =>
  [
    'email,reason',
    ...Array.from({ length: rows }, (_, index) => `a${index}@example.com,bounce`),
  ].join('\n');

const pass = async () => {};
const fail = async () => {
  throw new Error('throttled');
};

describe('importSuppressions', () => {
  it('audits the import without an address', async () => {
    const { run, audit, apiKey } = await prepare();

    await run('email,reason\nann@example.com,bounce\nnobody,bounce\n');

    const entries = await audit();
    expect(entries).toMatchObject([
      {
        action: 'suppressions.imported',
        actor: apiKey.id,
        after: { rows: 1, refused: 1 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('@');
  });

  it('names each rejected row by its line, accepts the others, and counts a repeated row once', async () => {
    const { run, suppressionsOf } = await prepare();

    const result = await run(
      'email,reason\nann@example.com,bounce\n\nnobody,bounce\nANN@example.com,bounce\nann@example.com,complaint\n',
    );

    expect(result).toMatchObject({ imported: 2, unchanged: 1, isComplete: true });
    expect(result.refused).toMatchObject([{ line: 4 }]);
    expect((await suppressionsOf()).map(({ reason }) => reason)).toEqual(['bounce', 'complaint']);
  });

  it('stores more than a transaction can hold, and addresses with two reasons', async () => {
    const { run, count } = await prepare();
    const rows = fileOf(120).replaceAll(
      /.*,bounce/g,
      (row) => `${row}\n${row.replace('bounce', 'complaint')}`,
    );

    expect(await run(rows)).toMatchObject({ imported: 240, refused: [] });
    expect(count()).toBe(240);
  });

  it('ends in time, and says that it is incomplete', async () => {
    const { run, clock, pacing, count } = await prepare();
    pacing.now = () => {
      clock.at += workBudgetMs / 6;
      return clock.at;
    };

    const { isComplete } = await run(fileOf(1_000));

    expect(isComplete).toBe(false);
    expect(count()).toBeLessThan(1_000);
  });

  it('stores rows at a pace that leaves room for sends', async () => {
    const { run, clock, pacing, count } = await prepare();
    const startedAt = clock.at;
    const rates: number[] = [];
    pacing.sleep = async (ms) => {
      rates.push(count() / ((clock.at - startedAt) / 1_000 + 1));
      clock.at += ms;
    };
    const seconds = workBudgetMs / 1_000;

    const result = await run(fileOf(rowsPerSecond * (seconds + 3)));

    expect(result).toMatchObject({ isComplete: false });
    expect(result.imported).toBeGreaterThan(rowsPerSecond * 15);
    expect(result.imported).toBeLessThanOrEqual(rowsPerSecond * (seconds + 1));
    expect(Math.max(...rates)).toBeLessThanOrEqual(rowsPerSecond * 2);
  });

  it("doesn't pause for rows that already exist", async () => {
    const { run, pacing } = await prepare();
    await run(fileOf(400));
    pacing.sleep = unexpected('sleep');

    expect(await run(fileOf(400))).toMatchObject({
      ...{ imported: 0, unchanged: 400, isComplete: true },
    });
  });

  it('refuses a second concurrent import, and stores and counts nothing', async () => {
    const { run, clock, table, organizationId, count } = await prepare({
      limits: { contactsPerDay: 3 },
    });
    const other = anyEntry();
    await beginImport(table, organizationId, other, clock.at);
    clock.at += 23_000;

    const error = await serviceErrorOf(() => run(fileOf(3)));

    expect(error).toMatchObject({ code: 'import_in_progress', retryAfterSeconds: 12 });
    expect(count()).toBe(0);
    await endImport(table, organizationId, other);
    expect(await run(fileOf(3)), 'the day still has room').toMatchObject({ imported: 3 });
  });

  it("rejects a file that exceeds the day's limit, and stores nothing", async () => {
    const { run, items } = await prepare({ limits: { contactsPerDay: 2 } });
    const before = items();

    const error = await serviceErrorOf(() => run(fileOf(3)));

    expect(error.code).toBe('contact_limit_reached');
    expect(items()).toEqual(before);
    expect(await run(fileOf(2))).toMatchObject({ imported: 2 });
  });

  it('releases the lease when it fails, and leaves its audit entry', async () => {
    const { run, beforeNextWrite, audit } = await prepare();
    // The day's count and the lease pass.
    beforeNextWrite(pass, pass, fail);

    await expect(run(fileOf(1))).rejects.toThrow('throttled');

    expect(await audit()).toHaveLength(1);
    expect(await run(fileOf(1))).toMatchObject({ imported: 1 });
  });

  it('succeeds even if releasing the lease fails', async () => {
    const { run, beforeNextWrite } = await prepare();
    beforeNextWrite(pass, pass, pass, fail);

    expect(await run(fileOf(1))).toMatchObject({ imported: 1 });
    expect((await serviceErrorOf(() => run(fileOf(1)))).code).toBe('import_in_progress');
  });

  it('accepts a file of 10,000 rows', async () => {
    const { run } = await prepare();
    const rows = Array.from({ length: maxRows }, () => 'ann@example.com,bounce');

    const result = await run(['email,reason', ...rows].join('\n'));

    expect(result).toMatchObject({ imported: 1, unchanged: maxRows - 1 });
  });

  it.each([
    ['too many rows', fileOf(maxRows + 1)],
    ['no column of addresses', 'name,phone\nAnn,1\n'],
    ['nothing in it', ''],
  ])('stores nothing of a file with %s', async (_, text) => {
    const { run, items } = await prepare();
    const before = items();

    const error = await serviceErrorOf(() => run(text));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body' }] });
    expect(items()).toEqual(before);
  });
});
