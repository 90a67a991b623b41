import { describe, expect, it } from 'vitest';
import {
  changedAttributes,
  changesNothing,
  updateExpressionOf,
} from '#shared/table/attribute-change';

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

  it('sets and removes attributes by names that DynamoDB may have reserved', () => {
    expect(updateExpressionOf({ set: { name: 'Ann', status: 'sent' }, remove: ['size'] })).toEqual({
      UpdateExpression: 'SET #set0 = :set0, #set1 = :set1 REMOVE #remove0',
      ExpressionAttributeNames: { '#set0': 'name', '#set1': 'status', '#remove0': 'size' },
      ExpressionAttributeValues: { ':set0': 'Ann', ':set1': 'sent' },
    });
  });

  it('has no list of values when it only removes', () => {
    expect(updateExpressionOf({ set: {}, remove: ['size'] })).toEqual({
      UpdateExpression: 'REMOVE #remove0',
      ExpressionAttributeNames: { '#remove0': 'size' },
    });
  });
});
