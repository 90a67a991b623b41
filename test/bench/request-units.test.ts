import { describe, expect, it } from 'vitest';
import { tableIndexes } from '#shared/table/table-attributes';
import {
  type Attributes,
  itemSize,
  readUnitsOfItems,
  readUnitsOfQuery,
  writeUnitsOf,
} from './request-units.ts';

/** An item of exactly that many bytes. */
function itemOf(bytes: number, attributes: Attributes = {}): Attributes {
  const item = { pk: { S: 'ORG#1' }, sk: { S: 'SEND' }, ...attributes };
  return { ...item, pad: { S: 'x'.repeat(bytes - itemSize(item) - 'pad'.length) } };
}

const alone = { isTransactional: false };
const inTransaction = { isTransactional: true };
const indexed = (partition: string) => ({ gsi1pk: { S: partition }, gsi1sk: { S: 'MESSAGE' } });

describe('the write units of an item', () => {
  it('are one per started KB', () => {
    expect(writeUnitsOf({ before: undefined, after: itemOf(1_024) }, alone)).toBe(1);
    expect(writeUnitsOf({ before: undefined, after: itemOf(1_025) }, alone)).toBe(2);
  });

  it('go by the larger of before and after', () => {
    expect(writeUnitsOf({ before: itemOf(3_000), after: itemOf(500) }, alone)).toBe(3);
    expect(writeUnitsOf({ before: itemOf(3_000), after: undefined }, alone)).toBe(3);
  });

  it('are one at least, also when there was nothing to delete', () => {
    expect(writeUnitsOf({ before: undefined, after: undefined }, alone)).toBe(1);
  });

  it('are double in a transaction', () => {
    expect(writeUnitsOf({ before: undefined, after: itemOf(1_500) }, inTransaction)).toBe(4);
  });

  it('are billed when the condition failed, by the larger of what stands and what was put', () => {
    const existing = itemOf(200);

    const put = { before: existing, after: existing, attempted: itemOf(1_500) };
    expect(writeUnitsOf(put, alone)).toBe(2);
    expect(writeUnitsOf({ before: existing, after: existing }, inTransaction)).toBe(2);
  });
});

describe('the write units of an index entry', () => {
  it('are one for a new entry, and not doubled in a transaction', () => {
    const write = { before: undefined, after: itemOf(500, indexed('PROVIDER#1')) };

    expect(writeUnitsOf(write, alone)).toBe(1 + 1);
    expect(writeUnitsOf(write, inTransaction)).toBe(2 + 1);
  });

  it.each(Object.values(tableIndexes))('are one for a new entry of $name', (index) => {
    const keys = { [index.partitionKey]: { S: 'TO#1' }, [index.sortKey]: { S: '1' } };

    expect(writeUnitsOf({ before: undefined, after: itemOf(500, keys) }, alone)).toBe(1 + 1);
  });

  it('are one for each index that an item enters', () => {
    const after = itemOf(500, {
      ...indexed('PROVIDER#1'),
      gsi2pk: { S: 'SENDS#1' },
      gsi2sk: { S: '1' },
      gsi3pk: { S: 'TO#1' },
      gsi3sk: { S: '1' },
    });

    expect(writeUnitsOf({ before: undefined, after }, alone)).toBe(1 + 3);
  });

  it('are none when the index keys stay, whatever else changes', () => {
    const before = itemOf(500, indexed('PROVIDER#1'));

    const after = { ...before, status: { S: 'sent' } };
    expect(writeUnitsOf({ before, after }, alone)).toBe(1);
  });

  it('are two when it moves: one deleted, one put', () => {
    const before = itemOf(500, indexed('DUE#1'));

    const after = itemOf(500, indexed('DUE#2'));
    expect(writeUnitsOf({ before, after }, alone)).toBe(1 + 2);
  });

  it('are one when the item leaves the index', () => {
    const before = itemOf(500, indexed('DUE#1'));

    expect(writeUnitsOf({ before, after: itemOf(500) }, alone)).toBe(1 + 1);
    expect(writeUnitsOf({ before, after: undefined }, alone)).toBe(1 + 1);
  });

  it('are none for an item with half of the index keys', () => {
    const after = itemOf(500, { gsi1pk: { S: 'DUE#1' } });

    expect(writeUnitsOf({ before: undefined, after }, alone)).toBe(1);
  });

  it('go by the keys alone, since the index projects nothing else', () => {
    const after = itemOf(5_000, indexed('PROVIDER#1'));

    expect(writeUnitsOf({ before: undefined, after }, alone)).toBe(5 + 1);
  });

  it('are none when the condition failed', () => {
    const existing = itemOf(500);

    const attempted = itemOf(500, indexed('PROVIDER#1'));
    expect(writeUnitsOf({ before: existing, after: existing, attempted }, alone)).toBe(1);
  });
});

describe('read units', () => {
  it('are one per started 4 KB of each item, and one for an item that is not there', () => {
    expect(readUnitsOfItems([itemOf(4_096), itemOf(4_097), undefined], true)).toBe(1 + 2 + 1);
  });

  it('are half when the read is eventually consistent', () => {
    expect(readUnitsOfItems([itemOf(500)], false)).toBe(0.5);
    expect(readUnitsOfQuery([itemOf(500)], false)).toBe(0.5);
  });

  it('of a Query go by all it read together', () => {
    expect(readUnitsOfQuery([itemOf(2_000), itemOf(2_000), itemOf(500)], true)).toBe(2);
    expect(readUnitsOfQuery([], true)).toBe(1);
  });
});

describe('the size of an item', () => {
  it('is that of attribute names and values together', () => {
    expect(itemSize({ pk: { S: 'ORG#1' }, sk: { S: 'SEND' } })).toBe(2 + 5 + 2 + 4);
  });

  it('counts text in UTF-8', () => {
    expect(itemSize({ name: { S: 'Zoë €' } })).toBe(4 + 8);
  });

  it.each([
    ['0', 1],
    ['7', 2],
    ['42', 2],
    ['100', 2],
    ['1700000000001', 8],
    ['1700000000000', 2],
    ['-42', 3],
    ['0.05', 2],
  ])('counts the number %s by its significant digits: %i bytes', (text, bytes) => {
    expect(itemSize({ n: { N: text } })).toBe(1 + bytes);
  });

  it('counts a boolean and a null as one byte', () => {
    expect(itemSize({ a: { BOOL: false }, b: { NULL: true } })).toBe(4);
  });

  it('counts binary values by their raw length', () => {
    expect(itemSize({ b: { B: new Uint8Array(10) } })).toBe(11);
  });

  it('adds three bytes for a list or map, and one for each element', () => {
    expect(itemSize({ cc: { L: [] } })).toBe(2 + 3);
    expect(itemSize({ cc: { L: [{ S: 'ab' }, { S: 'c' }] } })).toBe(2 + 3 + 2 + 3);
    expect(itemSize({ m: { M: { at: { N: '42' } } } })).toBe(1 + 3 + 1 + 2 + 2);
  });

  it('counts a set as the sum of its members', () => {
    expect(itemSize({ s: { SS: ['ab', 'c'] }, n: { NS: ['1', '42'] } })).toBe(1 + 3 + 1 + 4);
  });
});
