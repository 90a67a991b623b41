import { describe, expect, it } from 'vitest';
import { itemSize } from './item-size.ts';

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
