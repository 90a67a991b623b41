import fc from 'fast-check';
import { expect, it } from 'vitest';
import { declarerOf, turnOf, withRequest } from '#shared/declarations/declaration';

it('knows what was handled by its place: the last may be repeated, the earlier are late', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 20 }), (ids) => {
      let requests: string[] = [];
      for (const id of ids) {
        expect(turnOf(id, { requests })).toBe('new');
        requests = withRequest(id, { requests });
        expect(withRequest(id, { requests })).toEqual(requests);
      }
      expect(ids.map((id) => turnOf(id, { requests }))).toEqual(
        ids.map((id) => (id === ids.at(-1) ? 'again' : 'late')),
      );
    }),
  );
});

it('tells resources and stacks apart', () => {
  const names = [declarerOf('a', 'b'), declarerOf('a', 'c'), declarerOf('b', 'b')];

  expect(new Set(names).size).toBe(3);
  expect(declarerOf('a', 'b')).toBe(names[0]);
});
