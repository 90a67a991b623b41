import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOf } from '#shared/access/body-shape';

describe('the shape of a body', () => {
  it.each([
    [
      { to: 'ann@example.com', copies: 2, test: true, cc: null },
      '{ to: string, copies: number, test: boolean, cc: null }',
    ],
    [{ to: ['a', 'b', 3] }, '{ to: [string | number] }'],
    [
      { tags: [{ name: 'a', value: 1 }, { name: 'b' }] },
      '{ tags: [{ name: string, value: number } | { name: string }] }',
    ],
    [{ 'ann@example.com': 1, '+43 664 1234567': 'x' }, '{ *: number, *: string }'],
    [
      { variables: { one: { two: { three: { four: { five: { six: 1 } } } } } } },
      '{ variables: { one: { two: { three: { four: { five: … } } } } } }',
    ],
    [[], '[]'],
    [{}, '{}'],
    ['text', 'string'],
    [null, 'null'],
  ])('of %j is %s', (body, shape) => {
    expect(shapeOf(body)).toBe(shape);
  });

  it('has none of its values, and no name that is no name', () => {
    const secret = fc.constantFrom(
      'zq-ann@zq.example',
      'zq 1 street',
      'zq',
      '9912345678',
      'zq_live_abc.def',
    );
    const body = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 8 }, secret, fc.constant(9_912_345), tie('list'), tie('object')),
      list: fc.array(tie('value')),
      object: fc.dictionary(
        fc.oneof(
          fc.constantFrom('to', 'subject'),
          fc.constantFrom('zq@zq.example', 'zq 1 street', ''),
        ),
        tie('value'),
      ),
    })).value;

    fc.assert(
      fc.property(body, (value) => {
        expect(shapeOf(value)).not.toMatch(/zq|99/);
      }),
    );
  });

  it('is bounded, whatever the body', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
        expect(shapeOf(value).length).toBeLessThanOrEqual(1_000);
      }),
    );
    const wide = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`n${index}`, 1]),
    );
    expect(shapeOf(wide)).toMatch(/^\{ n0: number, .*n39: number, … \}$/);
    expect(shapeOf(Array.from({ length: 30 }, () => wide)).length).toBeLessThanOrEqual(1_000);
    let deep: unknown = 1;
    for (let level = 0; level < 1_000; level += 1) deep = [deep, deep];
    expect(shapeOf(deep)).toBe('[[[[[[…]]]]]]');
  });

  it('calls nothing that the body has', () => {
    const body = { to: 'x' };
    Object.defineProperty(body, 'trap', { enumerable: true, get: () => expect.fail('read') });

    expect(shapeOf(body)).toBe('{ to: string, trap: undefined }');
  });
});
