import { describe, expect, it } from 'vitest';
import { changedAttributes, changesNothing } from '#shared/table/attribute-change';

describe('changedAttributes', () => {
  it('are those that the item has otherwise, or not at all', () => {
    const item = { name: 'Ann', tags: ['a', 'b'], size: 3 };

    const changed = changedAttributes(item, {
      name: 'Ann',
      tags: ['a', 'c'],
      age: 4,
      gone: undefined,
    });

    expect(changed).toEqual({ tags: ['a', 'c'], age: 4 });
  });
});

describe('a change', () => {
  it('changes nothing when it sets and removes nothing', () => {
    expect(changesNothing({ set: {}, remove: [] })).toBe(true);
    expect(changesNothing({ set: { a: 1 }, remove: [] })).toBe(false);
    expect(changesNothing({ set: {}, remove: ['a'] })).toBe(false);
  });
});
