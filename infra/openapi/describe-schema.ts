import * as z from 'zod/mini';
import { glossary } from './glossary.ts';
import { type Schema, schemaShape } from './openapi-types.ts';

/** By name, or by the end of the path. */
export type Words = Readonly<Record<string, string>>;

/**
 * As JSON Schema: a request by its input, an answer by its output. Answers may gain fields, so readers must accept
 * unknown ones; requests may not.
 */
export function describeSchema(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
  words: Words,
): Schema {
  const described = schemaShape.parse(z.toJSONSchema(schema, { io }));
  const { $schema: _, ...json } = described;
  return tidy(json, io, [], words);
}

function tidy(
  schema: Schema,
  io: 'input' | 'output',
  path: readonly string[],
  words: Words,
): Schema {
  const inner = (one: Schema, at = path) => tidy(one, io, at, words);
  const { properties, items, anyOf, additionalProperties, ...rest } = withoutOddities(schema);
  const isOpen = additionalProperties === undefined || (io === 'output' && !additionalProperties);
  return {
    ...rest,
    ...(properties && { properties: describeProperties(properties, inner, path, words) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map((one) => inner(one)) }),
    ...(!isOpen && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? inner(additionalProperties)
          : additionalProperties,
    }),
  };
}

function describeProperties(
  properties: Readonly<Record<string, Schema>>,
  inner: (schema: Schema, path: readonly string[]) => Schema,
  path: readonly string[],
  words: Words,
): Record<string, Schema> {
  const described = Object.entries(properties)
    .filter(([, property]) => !isForbidden(property))
    .map(([name, property]) => {
      const at = [...path, name];
      const description = property.description ?? wordsFor(at, words);
      return [name, { ...inner(property, at), ...(description && { description }) }] as const;
    });
  return Object.fromEntries(described);
}

/** Named only to refuse it with a better message. */
const isForbidden = ({ not }: Schema): boolean => not !== undefined;

/** The longest matching end of the path; the endpoint's own words come before the glossary's. */
function wordsFor(path: readonly string[], words: Words): string | undefined {
  const ends = path.map((_, index) => path.slice(index).join('.'));
  return [words, glossary].flatMap((one) => ends.map((end) => one[end])).find((found) => found);
}

/**
 * `z.int()` adds the bounds of JavaScript's numbers, and few languages know the Unicode classes in JavaScript's
 * patterns: both may break tools.
 */
function withoutOddities(schema: Schema): Schema {
  const { minimum, maximum, pattern, ...rest } = schema;
  return {
    ...rest,
    ...(pattern !== undefined && !`${pattern}`.includes('\\p{') && { pattern }),
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** An answer may be one of several. */
export const alternativesOf = (schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] =>
  schema instanceof z.ZodMiniUnion
    ? schema.def.options.flatMap(alternativesOf)
    : schema
      ? [schema]
      : [];
