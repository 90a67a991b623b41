import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { declaredBody } from '#shared/endpoints/declared-body';

describe('the body of an answer', () => {
  it('is what the schema declares', () => {
    const schema = z.object({ id: z.string() });

    expect(declaredBody(schema, { id: 'a', secretHash: 'x' })).toEqual({
      body: { id: 'a' },
      faults: [],
    });
  });

  const schema = z.object({
    id: z.string().check(z.maxLength(3)),
    entry: z.optional(z.object({ name: z.string() })),
    list: z._default(z.array(z.object({ at: z.int() })), []),
    state: z.nullable(z.union([z.object({ on: z.boolean() }), z.object({ reason: z.string() })])),
  });
  const fitting = { id: 'a', entry: { name: 'b' }, list: [{ at: 1 }], state: { on: true } };

  it.each([
    ['a text of another form', { id: 'abcd' }, { id: 'abcd' }, 'id'],
    ['another type', { entry: { name: 7 } }, { entry: { name: 7 } }, 'entry.name'],
    ['an entry of a list', { list: [{ at: 1.5 }, { at: 2 }] }, undefined, 'list.0.at'],
    ['none of several forms', { state: { on: 1, reason: 2 } }, undefined, 'state'],
  ])('has a value that the schema refuses, named as a fault: %s', (_what, given, shown, fault) => {
    const declared = declaredBody(schema, { ...fitting, ...given });

    expect(declared).toEqual({ body: { ...fitting, ...(shown ?? given) }, faults: [fault] });
  });

  it.each([
    ['at the top', { secret: 's' }],
    ['in an entry', { entry: { name: 'b', secret: 's' } }],
    ['in a list', { list: [{ at: 1, secret: 's' }] }],
    ['in one of several forms', { state: { on: 1, secret: 's' } }],
    ['where a text is declared', { entry: { name: { secret: 's' } } }],
    ['where a text is declared, in a list', { entry: { name: [{ secret: 's' }] } }],
    ['where a list is declared', { list: { secret: 's' } }],
  ])('never has what the schema does not name, whatever else is wrong: %s', (_where, given) => {
    const { body, faults } = declaredBody(schema, { ...fitting, id: 'too long', ...given });

    expect(faults).toContain('id');
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body).toMatchObject({ id: 'too long' });
  });
});
