import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyOf,
  type Clause,
  exists,
  is,
  isAbove,
  isAbsent,
  isAsRead,
  isAtLeast,
  isAtMost,
  isBelow,
  isNew,
  isNot,
  isPresent,
  onlyIf,
  updateIf,
} from '#shared/table/conditional-update';
import { writeIf } from '#shared/table/writes';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const key = { pk: 'p', sk: 's' };

async function storing(item?: Readonly<Record<string, unknown>>) {
  const { table, items } = openMemoryTable();
  if (item) {
    await table.client.send(new PutCommand({ TableName: table.name, Item: { ...key, ...item } }));
  }
  const update = (...given: readonly [Parameters<typeof updateIf>[1], readonly Clause[]]) =>
    writeIf(() =>
      table.client.send(new UpdateCommand({ TableName: table.name, ...updateIf(key, ...given) })),
    );
  return { update, stored: () => items()[0], table };
}

const holds = async (item: Readonly<Record<string, unknown>>, ...clauses: readonly Clause[]) =>
  (await (await storing(item)).update({ set: { touched: true } }, clauses)).written;

describe('updateIf', () => {
  it('sets, adds, appends and removes, also what DynamoDB has reserved names for', async () => {
    const { update, stored } = await storing({ status: 'queued', size: 3, count: 1, first: 1 });

    await update(
      {
        set: { status: 'sent' },
        setOnce: { first: 2, second: 2 },
        add: { count: 2, total: 5 },
        append: { list: ['a'] },
        remove: ['size'],
      },
      [is('status', 'queued'), exists],
    );

    expect(stored()).toEqual({
      ...key,
      ...{ status: 'sent', first: 1, second: 2, count: 3, total: 5, list: ['a'] },
    });
  });

  it('copies what an attribute was, unless the copy is there', async () => {
    const { update, stored } = await storing({ expiresAt: 5, kept: 1 });

    await update({ set: { expiresAt: 9 }, copyOnce: { was: 'expiresAt', kept: 'expiresAt' } }, []);

    expect(stored()).toEqual({ ...key, expiresAt: 9, was: 5, kept: 1 });
  });

  it('creates an item that is not there, unless a clause needs it', async () => {
    const there = await storing();
    const needed = await storing();

    await there.update({ add: { count: 1 } }, []);
    const outcome = await needed.update({ add: { count: 1 } }, [exists]);

    expect(there.stored()).toEqual({ ...key, count: 1 });
    expect(outcome).toEqual({ written: false, existing: undefined });
    expect(needed.stored()).toBeUndefined();
  });

  it('returns the item that a condition failed on', async () => {
    const { update } = await storing({ status: 'sent' });

    const outcome = await update({ set: { status: 'queued' } }, [is('status', 'queued')]);

    expect(outcome).toEqual({ written: false, existing: { ...key, status: 'sent' } });
  });

  it('writes exactly what it is given, of any names and values', async () => {
    const name = fc.stringMatching(/^[a-z]\w{0,5}$/).filter((one) => !['pk', 'sk'].includes(one));
    const fields = fc.dictionary(name, fc.oneof(fc.string(), fc.integer()), { minKeys: 1 });
    await fc.assert(
      fc.asyncProperty(fields, fields, async (before, set) => {
        const { update, stored } = await storing(before);
        const remove = Object.keys(before).filter((one) => !Object.hasOwn(set, one));

        await update({ set, remove }, isAsRead(before, [...Object.keys(before), 'absent']));

        expect(stored()).toEqual({ ...key, ...set });
      }),
      { numRuns: 30 },
    );
  });
});

describe('a clause', () => {
  it.each<readonly [string, Clause, boolean]>([
    ['is', is('n', 2), true],
    ['is', is('n', 1), false],
    ['isNot', isNot('n', 1), true],
    ['isNot', isNot('n', 2), false],
    ['isBelow', isBelow('n', 3), true],
    ['isBelow', isBelow('n', 2), false],
    ['isAtMost', isAtMost('n', 2), true],
    ['isAtMost', isAtMost('n', 1), false],
    ['isAbove', isAbove('n', 1), true],
    ['isAbove', isAbove('n', 2), false],
    ['isAtLeast', isAtLeast('n', 2), true],
    ['isAtLeast', isAtLeast('n', 3), false],
    ['isPresent', isPresent('n'), true],
    ['isPresent', isPresent('m'), false],
    ['isAbsent', isAbsent('m'), true],
    ['isAbsent', isAbsent('n'), false],
    ['exists', exists, true],
    ['isNew', isNew, false],
    ['anyOf', anyOf(is('n', 1), is('n', 2)), true],
    ['anyOf', anyOf(is('n', 1), isAbsent('n')), false],
  ])('%s compares with what is stored', async (_, clause, expected) => {
    expect(await holds({ n: 2 }, clause)).toBe(expected);
  });

  it('is one of several that must all hold, alternatives kept together', async () => {
    const either = anyOf(is('a', 1), is('a', 2));

    expect(await holds({ a: 2, b: 1 }, either, is('b', 1))).toBe(true);
    expect(await holds({ a: 1, b: 2 }, either, is('b', 1))).toBe(false);
  });

  it('finds an attribute as read only if nobody has set, changed or removed it', async () => {
    const read = { a: 1, list: [] };

    expect(await holds({ a: 1 }, ...isAsRead(read, ['a', 'b', 'list']))).toBe(true);
    expect(await holds({ a: 2 }, ...isAsRead(read, ['a']))).toBe(false);
    expect(await holds({ a: 1, b: 1 }, ...isAsRead(read, ['b']))).toBe(false);
    expect(await holds({ list: ['x'] }, ...isAsRead(read, ['list']))).toBe(false);
  });
});

describe('onlyIf', () => {
  it('makes a Put conditional', async () => {
    const { table, stored } = await storing({ a: 1 });
    const put = (clause: Clause) =>
      writeIf(() =>
        table.client.send(
          new PutCommand({ TableName: table.name, Item: { ...key, a: 2 }, ...onlyIf(clause) }),
        ),
      );

    expect(await put(isNew)).toEqual({ written: false, existing: { ...key, a: 1 } });
    expect(await put(is('a', 1))).toEqual({ written: true });
    expect(stored()).toEqual({ ...key, a: 2 });
  });
});
