import { describe, expect, it } from 'vitest';
import { asText, fieldList, fieldsOf, typeOf } from '../../../../infra/docs/reference/fields.ts';
import type { Schema } from '../../../../infra/openapi/openapi-types.ts';

describe("a field's type in words", () => {
  it.each<[string, Schema]>([
    ['string', { type: 'string' }],
    ['whole number or null', { type: ['integer', 'null'] }],
    ['list of string', { type: 'array', items: { type: 'string' } }],
    ['"a" or "b"', { enum: ['a', 'b'] }],
    ['"PUT"', { type: 'string', const: 'PUT' }],
    [
      'string or list of string',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    ],
    ['any', {}],
  ])('is %s', (words, schema) => {
    expect(typeOf(schema)).toBe(words);
  });
});

const either: Schema = {
  anyOf: [
    {
      properties: {
        to: { type: 'string', description: 'Who.' },
        subject: { type: 'string', maxLength: 9, description: 'What.' },
      },
      required: ['to', 'subject'],
    },
    {
      properties: {
        to: { type: 'string', description: 'Who.' },
        template: { type: 'string', default: 'x', description: 'Which.' },
      },
      required: ['to'],
    },
  ],
};

const listed = (schema: Schema, side: 'request' | 'answer') =>
  fieldList(fieldsOf(schema), side).split('\n');

describe('a list of fields', () => {
  it('has the fields of every variant, required if every variant requires them', () => {
    expect(listed(either, 'request')).toEqual([
      '- `to` string, required. Who.',
      '- `subject` string, at most 9 characters. What.',
      '- `template` string, "x" unless given. Which.',
    ]);
  });

  it('says which fields of an answer may be absent', () => {
    expect(listed(either, 'answer')).toEqual([
      '- `to` string. Who.',
      '- `subject` string, at most 9 characters, may be absent. What.',
      '- `template` string, "x" unless given, may be absent. Which.',
    ]);
  });

  it('has the fields inside a list below the list', () => {
    const schema: Schema = { properties: { data: { type: 'array', items: either } } };

    expect(listed(schema, 'answer')).toEqual([
      '- `data` list of any, may be absent',
      '  - `to` string. Who.',
      expect.stringMatching(/^ {2}- `subject`/),
      expect.stringMatching(/^ {2}- `template`/),
    ]);
  });

  it('is empty where there are none', () => {
    expect(fieldList([], 'answer')).toBe('');
  });
});

it('takes our words for text, but for code in backticks', () => {
  expect(asText('a *b* `*c* <d>` <e> [f](g)')).toBe('a \\*b\\* `*c* <d>` \\<e> \\[f](g)');
});
