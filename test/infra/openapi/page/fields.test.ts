import { load } from 'cheerio';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../infra/openapi/document.ts';
import { fieldList, fieldsOf, typeOf } from '../../../../infra/openapi/page/fields.ts';

describe('the type of a field in words', () => {
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

const listed = (schema: Schema, side: 'request' | 'answer') => {
  const $ = load(fieldList(fieldsOf(schema), side)?.text ?? '');
  return $('dt')
    .map((_, term) => $(term).text())
    .get();
};

describe('a list of fields', () => {
  it('has the fields of every shape, required if each shape asks for them', () => {
    expect(listed(either, 'request')).toEqual([
      'to string, required',
      'subject string, at most 9 characters',
      'template string, "x" unless given',
    ]);
  });

  it('says of an answer which fields may be absent', () => {
    expect(listed(either, 'answer')).toEqual([
      'to string',
      'subject string, at most 9 characters, may be absent',
      'template string, "x" unless given, may be absent',
    ]);
  });

  it('has the fields inside a list below it', () => {
    const schema: Schema = { properties: { data: { type: 'array', items: either } } };

    expect(listed(schema, 'answer')[0]).toBe('data list of any, may be absent');
    expect(listed(schema, 'answer')).toHaveLength(4);
  });

  it('is nothing where there are none', () => {
    expect(fieldList([], 'answer')).toBeUndefined();
  });
});
