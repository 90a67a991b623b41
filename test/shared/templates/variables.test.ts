import { describe, expect, it } from 'vitest';
import { variablesSchema } from '#shared/templates/variables';

/** An object in an object, so many levels in all. */
const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), 'x');

const messagesFor = (value: unknown) =>
  variablesSchema.safeParse(value).error?.issues.map(({ message }) => message);

describe('variables', () => {
  it.each([
    ['none', {}],
    ['values of any kind', { text: 'ü', number: 1, list: [1, { a: null }], yes: true }],
    ['32 levels', nested(32)],
  ])('may be %s', (_what, value) => {
    expect(messagesFor(value)).toBeUndefined();
  });

  it.each([
    ['a list', [], 'must be an object'],
    ['a text', 'x', 'must be an object'],
    ['null', null, 'must be an object'],
    ['33 levels', nested(33), 'must not nest deeper than 32 levels'],
    ['a list of 33 levels', { a: [nested(31)] }, 'must not nest deeper than 32 levels'],
    ['a lone surrogate', { a: '\ud800' }, 'must be well-formed Unicode'],
    ['a lone surrogate deep inside', { a: [{ b: '\udc00' }] }, 'must be well-formed Unicode'],
  ])('may not be %s', (_what, value, message) => {
    expect(messagesFor(value)).toEqual([message]);
  });
});
