import fc from 'fast-check';
import { anyValue, mostly } from './condition-arbitrary.ts';

/** Random items, of few enough keys and attributes that they meet. */

const pk = fc.constantFrom('p1', 'p2');
const sk = fc.constantFrom('a', 'ab', 'ba', 'é', '\uffee', '😀');
export const key = fc.record({ pk, sk });

const indexKeys = fc.record(
  {
    gsi1pk: fc.constantFrom('p1', 'p2'),
    gsi1sk: fc.constantFrom('a', 'ab', 'ba'),
    gsi2pk: mostly<unknown>(fc.constantFrom('p1', 'p2'), fc.constantFrom(5, '', true)),
    gsi2sk: fc.constantFrom('a', 'ab', 'ba'),
  },
  { requiredKeys: [] },
);

const attributes = fc.record(
  {
    n: fc.constantFrom(0, 1, 5, -3, 0.5, 123_456_789_012_345),
    f: fc.integer({ min: -1e6, max: 1e6 }).map((thousandths) => thousandths / 1000),
    s: fc.constantFrom('', 'a', 'ab', 'b', '😀'),
    b: fc.boolean(),
    l: fc.array(anyValue, { maxLength: 4 }),
    m: fc.record(
      { x: fc.constantFrom(1, 'a'), y: fc.record({ q: fc.nat(3) }), l: fc.array(fc.nat(3)) },
      { requiredKeys: [] },
    ),
    ss: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((all) => new Set(all)),
    ns: fc.uniqueArray(fc.nat(4), { minLength: 1 }).map((all) => new Set(all)),
    misc: anyValue,
  },
  { requiredKeys: [] },
);

export const item = fc
  .tuple(key, indexKeys, attributes)
  .map(([keys, index, others]) => ({ ...keys, ...index, ...others }));
