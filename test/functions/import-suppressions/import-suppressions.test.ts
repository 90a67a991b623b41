import { describe, expect, it } from 'vitest';
import { readDayQuota } from '#shared/access/day-quota-store';
import { workBudgetMs } from '#shared/config/attempt-time';
import { type ImportedSuppression, mostRows, rowsPerSecond } from '#shared/suppressions/import-row';
import { importedAtOnce } from '#shared/suppressions/suppression-import-store';
import {
  endpoint,
  endpoint as importSuppressions,
  type SuppressionImport,
} from '../../../functions/import-suppressions/import-suppressions.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();

type Given = Partial<Pick<SuppressionImport, 'now' | 'sleep'>> & {
  readonly contactsPerDay?: number;
  readonly imports?: Partial<SuppressionImport['imports']>;
};

function prepare(given: Given = {}) {
  const effects: unknown[] = [];
  const { table } = openMemoryTable();
  const groups: (readonly ImportedSuppression[])[] = [];
  const run = (text: string, query: object = {}) =>
    importSuppressions.run(
      { ...surroundings, caller: manager.caller, query: endpoint.query.parse(query), body: text },
      {
        now: given.now ?? manager.now,
        sleep: given.sleep ?? (async () => {}),
        table,
        limitsOfDeployment:
          given.contactsPerDay === undefined ? {} : { contactsPerDay: given.contactsPerDay },
        imports: {
          begin: async (_organizationId, entry) => {
            effects.push(entry);
            return { kind: 'begun' };
          },
          end: async () => {
            effects.push('end');
          },
          store: async (organizationId, group) => {
            expect(organizationId).toBe(manager.organizationId);
            groups.push(group);
            effects.push('store');
            return group.length;
          },
          ...given.imports,
        },
      },
    );
  const used = () => readDayQuota(table, manager.organizationId, 'CONTACTS', manager.now());
  return { run, effects, groups, used };
}

const fileOf = (rows: number) =>
  [
    'email,reason',
    ...Array.from({ length: rows }, (_, index) => `a${index}@example.com,bounce`),
  ].join('\n');

describe('importSuppressions', () => {
  it('audits the import before it stores anything, without an address', async () => {
    const { run, effects } = prepare();

    await run('email,reason\nann@example.com,bounce\nnobody,bounce\n');

    expect(effects).toEqual([
      expect.objectContaining({
        action: 'suppressions.imported',
        actor: manager.actor,
        after: { rows: 1, refused: 1 },
      }),
      'store',
      'end',
    ]);
    expect(JSON.stringify(effects)).not.toContain('@');
  });

  it('names each rejected row by its line, accepts the others, and counts a repeated row once', async () => {
    const { run, groups } = prepare();

    const result = await run(
      'email,reason\nann@example.com,bounce\n\nnobody,bounce\nANN@example.com,bounce\nann@example.com,complaint\n',
    );

    expect(result).toMatchObject({ imported: 2, unchanged: 1, isComplete: true });
    expect(result.refused).toMatchObject([{ line: 4 }]);
    expect(groups.flat().map(({ identity, reason }) => `${reason} ${identity}`)).toEqual([
      'bounce ann@example.com',
      'complaint ann@example.com',
    ]);
  });

  it('stores groups that fit in a transaction, with no address twice', async () => {
    const { run, groups } = prepare();

    await run(`${fileOf(120)}\n${fileOf(120).replaceAll('bounce', 'complaint')}`);

    for (const group of groups) {
      const identities = group.map(({ identity }) => identity);
      expect(new Set(identities).size).toBe(group.length);
      expect(group.length).toBeLessThanOrEqual(importedAtOnce);
    }
    expect(groups.flat()).toHaveLength(240);
  });

  it('ends in time, and says that it is incomplete', async () => {
    let now = webhookNow;
    const { run, groups } = prepare({
      now: () => {
        now += workBudgetMs / 6;
        return now;
      },
    });

    const { isComplete } = await run(fileOf(1_000));

    expect(isComplete).toBe(false);
    expect(groups.flat().length).toBeLessThan(1_000);
  });

  it('stores rows at a pace that leaves room for sends', async () => {
    let now = webhookNow;
    const stored: number[] = [];
    const { run, groups } = prepare({
      now: () => now,
      sleep: async (ms) => {
        stored.push(groups.flat().length / ((now - webhookNow) / 1_000 + 1));
        now += ms;
      },
    });

    const result = await run(fileOf(mostRows));

    expect(result).toMatchObject({ isComplete: false });
    expect(result.imported).toBeGreaterThan(rowsPerSecond * 15);
    expect(result.imported).toBeLessThanOrEqual(rowsPerSecond * (workBudgetMs / 1_000 + 1));
    expect(Math.max(...stored)).toBeLessThanOrEqual(rowsPerSecond * 2);
  });

  it("doesn't pause for rows that already exist", async () => {
    const { run } = prepare({
      sleep: unexpected('sleep'),
      imports: { store: async () => 0 },
    });

    expect(await run(fileOf(mostRows))).toMatchObject({ imported: 0, isComplete: true });
  });

  it('refuses a second concurrent import, and stores and counts nothing', async () => {
    const until = manager.now() + 12_000;
    const { run, effects, used } = prepare({
      imports: { begin: async () => ({ kind: 'busy', until }) },
    });

    const error = await serviceErrorOf(() => run(fileOf(3)));

    expect(error).toMatchObject({ code: 'import_in_progress', retryAfterSeconds: 12 });
    expect(effects).toEqual([]);
    expect(await used()).toBe(0);
  });

  it("rejects a file that exceeds the day's limit, and stores nothing", async () => {
    const { run, effects } = prepare({ contactsPerDay: 2 });

    const error = await serviceErrorOf(() => run(fileOf(3)));
    await run(fileOf(2));

    expect(error.code).toBe('contact_limit_reached');
    expect(effects).toHaveLength(3);
  });

  it('releases the lease when it fails, and succeeds even if releasing fails', async () => {
    const failing = async () => {
      throw new Error('throttled');
    };
    const broken = prepare({ imports: { store: failing } });
    const stuck = prepare({ imports: { end: failing } });

    await expect(broken.run(fileOf(1))).rejects.toThrow('throttled');
    const result = await stuck.run(fileOf(1));

    expect(broken.effects.at(-1)).toBe('end');
    expect(result).toMatchObject({ imported: 1 });
  });

  it('accepts a file of 10,000 rows', async () => {
    const { run } = prepare();

    expect(await run(fileOf(mostRows))).toMatchObject({ imported: mostRows });
  });

  it.each([
    ['too many rows', fileOf(mostRows + 1)],
    ['no column of addresses', 'name,phone\nAnn,1\n'],
    ['nothing in it', ''],
  ])('stores nothing of a file with %s', async (_, text) => {
    const { run, effects } = prepare();

    const error = await serviceErrorOf(() => run(text));

    expect(error).toMatchObject({ code: 'validation_failed', errors: [{ path: 'body' }] });
    expect(effects).toEqual([]);
  });
});
