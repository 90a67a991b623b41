import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsOf } from '#shared/usage/counter-store';

const names = (part: readonly string[]) => new Set(part).size;
const itself = (entry: string) => entry;

describe('partsOf', () => {
  const entries = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  const most = fc.integer({ min: 1, max: 6 });

  it('has every entry once, in order, and no part with more names than allowed', () => {
    fc.assert(
      fc.property(entries, most, (all, maxNames) => {
        const parts = partsOf(all, itself, maxNames);

        expect(parts.flat()).toEqual(all);
        expect(parts.every((part) => part.length > 0 && names(part) <= maxNames)).toBe(true);
      }),
    );
  });

  it('begins a part only with a name that the part before has no room for', () => {
    fc.assert(
      fc.property(entries, most, (all, maxNames) => {
        const parts = partsOf(all, itself, maxNames);

        for (const [index, part] of parts.slice(1).entries()) {
          const before = parts[index] ?? [];
          expect(names([...before, part[0] ?? ''])).toBe(maxNames + 1);
        }
      }),
    );
  });
});
