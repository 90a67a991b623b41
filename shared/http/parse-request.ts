import type * as z from 'zod/mini';
import { parseFields } from '#shared/errors/field-error';

/**
 * For the query, the headers (by lower-case name) or the path. The API's queries are strict objects, since a misspelt
 * filter would list everything. Pages for people ignore parameters added to their links.
 *
 * @throws ServiceError `validation_failed`, with the name of each faulty parameter.
 */
export const parseParameters = <Schema extends z.core.$ZodType>(
  schema: Schema,
  parameters: Readonly<Record<string, string | undefined>>,
): z.output<Schema> => parseFields(schema, parameters, 'parameter');

/** If a field is repeated, its first value counts. */
export const parseForm = <Schema extends z.core.$ZodType>(
  schema: Schema,
  fields: URLSearchParams,
): z.output<Schema> => parseFields(schema, Object.fromEntries([...fields].toReversed()));

export function parseFormLists<Schema extends z.core.$ZodType>(
  schema: Schema,
  fields: URLSearchParams,
): z.output<Schema> {
  const lists = [...Map.groupBy(fields, ([name]) => name)].map(
    ([name, entries]) => [name, entries.map(([, value]) => value)] as const,
  );
  return parseFields(schema, Object.fromEntries(lists));
}
