import * as z from 'zod/mini';
import { toFieldError } from '#shared/errors/field-error';
import { ServiceError } from '#shared/errors/service-error';

/**
 * Checks a parsed body against the endpoint's schema.
 *
 * @throws ServiceError `validation_failed`, with the path of each field at fault.
 */
export function parseBody<Schema extends z.core.$ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'validation_failed',
    'The request is not valid. See errors for each field at fault.',
    { errors: parsed.error.issues.map(toFieldError) },
  );
}

/**
 * Checks a request's query parameters against the endpoint's schema. Ignores unknown ones.
 *
 * @throws ServiceError `validation_failed`, with the name of each parameter at fault.
 */
export const parseQuery = <Schema extends z.core.$ZodType>(
  schema: Schema,
  query: Readonly<Record<string, string | undefined>>,
): z.output<Schema> => parseBody(schema, query);
