import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseFields, readFields } from '#shared/errors/field-error';
import { serviceErrorOf } from '../../support/service-error.ts';

const errorsOf = (schema: z.ZodMiniType, value: unknown) => readFields(schema, value).errors;

const messageOf = (schema: z.ZodMiniType, value: unknown) => errorsOf(schema, value)[0]?.message;

describe('readFields', () => {
  it('names each field at fault by its path', () => {
    const schema = z.object({ name: z.string(), kinds: z.array(z.enum(['one', 'two'])) });

    expect(errorsOf(schema, { kinds: ['one', 'three'] })).toEqual([
      { path: 'name', message: 'is required' },
      { path: 'kinds.1', message: 'must be "one" or "two"' },
    ]);
  });

  it.each([
    [undefined, 'is required'],
    [null, 'must be an object'],
    ['text', 'must be an object'],
    [[], 'must be an object'],
  ])('names the body when the whole of it is %j', (body, message) => {
    expect(errorsOf(z.object({}), body)).toEqual([{ path: 'body', message }]);
  });

  it.each([
    ['a missing value', z.string(), undefined, 'is required'],
    ['a missing choice', z.enum(['one']), undefined, 'is required'],
    ['no text', z.string(), 7, 'must be a string'],
    ['no number', z.number(), '7', 'must be a number'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['no truth value', z.boolean(), 'yes', 'must be true or false'],
    ['no array', z.array(z.string()), 'a', 'must be an array'],
    ['no object', z.record(z.string(), z.string()), 'a', 'must be an object'],
    ['null', z.string(), null, 'must be a string'],
    ['null for a choice', z.enum(['one', 'two']), null, 'must be "one" or "two"'],
    ['another word', z.enum(['one', 'two']), 'three', 'must be "one" or "two"'],
    ['another value', z.literal(true), false, 'must be true'],
    ['a short text', z.string().check(z.minLength(1)), '', 'must have at least 1 character'],
    ['a long text', z.string().check(z.maxLength(2)), 'abc', 'must have at most 2 characters'],
    [
      'too many',
      z.array(z.string()).check(z.maxLength(1)),
      ['a', 'b'],
      'must have at most 1 entry',
    ],
    ['too little', z.number().check(z.gte(1)), 0, 'must be at least 1'],
    ['nothing', z.number().check(z.positive()), 0, 'must be more than 0'],
    ['too much', z.number().check(z.lte(100)), 101, 'must be at most 100'],
    ['no URL', z.url(), 'here', 'must be a valid URL'],
    ['no address', z.email(), 'ann', 'must be a valid email address'],
    ['another form', z.string().check(z.regex(/^a+$/)), 'b', 'must match /^a+$/'],
    ['nothing that fits', z.union([z.string(), z.number()]), true, 'is not valid'],
  ])('says what is allowed instead of %s', (_fault, schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  it('leaves a message alone that the schema has of its own', () => {
    const schema = z.string().check(z.refine(() => false, { error: 'must be a month' }));

    expect(messageOf(schema, '2026')).toBe('must be a month');
  });

  it('never repeats the value', () => {
    const secret = 'ann@example.com';
    const schemas = [z.number(), z.url(), z.enum(['a']), z.string().check(z.maxLength(1))];

    for (const schema of schemas) expect(messageOf(schema, secret)).not.toContain(secret);
  });

  it('names two hundred faults and counts the others', () => {
    const schema = z.array(z.number());

    const errors = errorsOf(
      schema,
      Array.from({ length: 1_000 }, () => 'no'),
    );

    expect(errors).toHaveLength(201);
    expect(errors.at(-1)).toEqual({ path: 'body', message: 'has 800 more faults' });
  });

  it('names no faults when there are so many that zod overflows the stack', () => {
    const schema = z.object({ names: z.record(z.string(), z.number()) });
    const names = Object.fromEntries(Array.from({ length: 300_000 }, (_, index) => [index, 'no']));

    expect(errorsOf(schema, { names })).toEqual([{ path: 'body', message: 'has too many faults' }]);
  });

  it('shortens a long name in a path', () => {
    const schema = z.record(z.string(), z.number());

    expect(errorsOf(schema, { ['x'.repeat(1_000_000)]: 'no' })[0]?.path).toBe('x'.repeat(64));
    expect(errorsOf(schema, { [`${'x'.repeat(63)}😀`]: 'no' })[0]?.path).toBe('x'.repeat(63));
  });
});

describe('parseFields', () => {
  const schema = z.object({ name: z.string(), items: z.array(z.object({ on: z.boolean() })) });

  it('answers the parsed body', () => {
    const body = { name: 'a', items: [{ on: true }], unknown: 1 };

    expect(parseFields(schema, body)).toEqual({ name: 'a', items: [{ on: true }] });
  });

  it('names the path of each field at fault', async () => {
    const body = { name: 7, items: [{ on: true }, { on: 'yes' }] };

    const error = await serviceErrorOf(() => parseFields(schema, body));

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map(({ path }) => path)).toEqual(['name', 'items.1.on']);
  });
});
