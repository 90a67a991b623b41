import { describe, expect, it } from 'vitest';
import { differenceOf } from '#shared/audit/audit-entry';

describe('the difference of two states', () => {
  it('has the values that differ, as they were and as they are', () => {
    const before = { name: 'a', scopes: ['x'], kept: [1] };
    const after = { name: 'b', scopes: ['x', 'y'], kept: [1] };

    expect(differenceOf(before, after)).toEqual({
      before: { name: 'a', scopes: ['x'] },
      after: { name: 'b', scopes: ['x', 'y'] },
    });
  });

  it('leaves a value out where it is missing', () => {
    expect(differenceOf({ gone: 1, cap: undefined }, { cap: 2 })).toEqual({
      before: { gone: 1 },
      after: { cap: 2 },
    });
  });
});
