import * as z from 'zod/mini';
import { toFieldErrors } from '#shared/errors/field-error';
import { validationFailed } from '#shared/errors/service-error';

/** @throws ServiceError `validation_failed`, with the path of each faulty field. */
export function parseBody<Schema extends z.core.$ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  return parseAs('field', schema, body);
}

function parseAs<Schema extends z.core.$ZodType>(
  noun: 'field' | 'parameter',
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw validationFailed(toFieldErrors(schema, parsed.error.issues, noun));
}

/**
 * For the query, the headers (by lower-case name) or the path. The API's queries are strict objects, since a misspelt
 * filter would list everything. Pages for people ignore parameters added to their links.
 *
 * @throws ServiceError `validation_failed`, with the name of each faulty parameter.
 */
export const parseParameters = <Schema extends z.core.$ZodType>(
  schema: Schema,
  parameters: Readonly<Record<string, string | undefined>>,
): z.output<Schema> => parseAs('parameter', schema, parameters);

/** If a field is repeated, its first value counts. */
export const parseForm = <Schema extends z.core.$ZodType>(
  schema: Schema,
  fields: URLSearchParams,
): z.output<Schema> => parseBody(schema, Object.fromEntries([...fields].toReversed()));

export const parseFormLists = <Schema extends z.core.$ZodType>(
  schema: Schema,
  fields: URLSearchParams,
): z.output<Schema> =>
  parseBody(
    schema,
    Object.fromEntries([...fields.keys()].map((name) => [name, fields.getAll(name)])),
  );
