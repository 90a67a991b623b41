import { type Html, html } from '#shared/pages/html';
import type { Schema } from '../document.ts';

/** Lays out plain text: an empty line divides paragraphs, `- ` begins an entry of a list. */
export const richText = (text: string): Html =>
  html`${text.split(/\n\n+/).map((block) =>
    block.startsWith('- ')
      ? html`<ul>${block
          .slice(2)
          .split('\n- ')
          .map((entry) => html`<li>${inline(entry)}</li>`)}</ul>`
      : html`<p>${inline(block)}</p>`,
  )}`;

/** Text in which backticks mark code. */
export const inline = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

type Field = {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string;
};

/** A caller must know which fields to give, a reader which ones may not be there. */
type Side = 'request' | 'answer';

/** A list of fields, each with those inside it. */
export const fieldList = (fields: readonly Field[], side: Side): Html | undefined =>
  fields.length === 0
    ? undefined
    : html`<dl>${fields.map((field) => describeField(field, side))}</dl>`;

const describeField = ({ name, schema, isRequired, description }: Field, side: Side): Html => {
  const presence = side === 'request' ? isRequired && 'required' : !isRequired && 'may be absent';
  const facts = [typeOf(schema), ...limitsOf(schema), ...(presence ? [presence] : [])];
  return html`<dt><code>${name}</code> ${facts.join(', ')}</dt>
<dd>${inline(description)}${fieldList(fieldsOf(schema), side)}</dd>
`;
};

/** The fields of an object, or of the objects in a list. Of several shapes it has the fields of all. */
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
