import type { Schema } from '../../openapi/openapi-types.ts';

type Field = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string;
};

/** Callers need to know which fields to give, readers which may be missing. */
type Side = 'request' | 'answer';

export const fieldList = (fields: readonly Field[], side: Side): string =>
  fields.map((field) => describeField(field, side)).join('\n');

function describeField({ name, schema, isRequired, description }: Field, side: Side): string {
  const presence = side === 'request' ? isRequired && 'required' : !isRequired && 'may be absent';
  const facts = [typeOf(schema), ...limitsOf(schema), ...(presence ? [presence] : [])];
  const inside = fieldList(fieldsOf(schema), side);
  const words = description === '' ? '' : `. ${asText(description)}`;
  return `- \`${name}\` ${asText(facts.join(', '))}${words}${inside === '' ? '' : `\n${inside.replaceAll(/^/gm, '  ')}`}`;
}

/** Our words use backticks for code and no other Markdown, so what looks like Markdown is text. */
export const asText = (words: string): string =>
  words
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\<*[]/g, String.raw`\$&`)))
    .join('`');

/** Also of the objects in a list. Alternatives are merged. */
export function fieldsOf(schema: Schema): readonly Field[] {
  const shapes = shapesOf(schema);
  const names = [...new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.map((name) => {
    const property = shapes.map(({ properties }) => properties?.[name]).find((one) => one);
    const { description = '', ...schema } = property ?? {};
    const isRequired = shapes.every(({ required = [] }) => required.includes(name));
    return { name, schema, isRequired, description };
  });
}

function shapesOf(schema: Schema): readonly Schema[] {
  if (schema.properties) return [schema];
  if (schema.items) return shapesOf(schema.items);
  return schema.anyOf?.flatMap(shapesOf) ?? [];
}

/** For example `string`, `list of string`, `"a" or "b"`. */
export function typeOf({ type, items, anyOf, enum: values, const: value }: Schema): string {
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map((one) => JSON.stringify(one)).join(' or ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  return types.map((one) => typeNames.get(one) ?? one).join(' or ');
}

const typeNames: ReadonlyMap<string, string> = new Map([['integer', 'whole number']]);

const limits: readonly (readonly [keyword: string, words: (limit: unknown) => string])[] = [
  ['minimum', (limit) => `at least ${limit}`],
  ['exclusiveMinimum', (limit) => `more than ${limit}`],
  ['maximum', (limit) => `at most ${limit}`],
  ['maxLength', (limit) => `at most ${limit} characters`],
  ['maxItems', (limit) => `at most ${limit} entries`],
  ['default', (value) => `${JSON.stringify(value)} unless given`],
];

const limitsOf = (schema: Schema): readonly string[] =>
  limits.flatMap(([keyword, words]) =>
    schema[keyword] === undefined ? [] : [words(schema[keyword])],
  );
