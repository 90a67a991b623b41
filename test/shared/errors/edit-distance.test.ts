import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '#shared/errors/edit-distance';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['subject', 'subject', 0],
    ['sbject', 'subject', 1],
    ['subjject', 'subject', 1],
    ['subkect', 'subject', 1],
    ['sujbect', 'subject', 1],
    ['kitten', 'sitting', 3],
  ])('from %j to %j is %i', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it('is the same both ways, nought of equal texts only, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const distance = editDistance(one, other);

        expect(distance).toBe(editDistance(other, one));
        expect(distance === 0).toBe(one === other);
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      }),
    );
  });
});
