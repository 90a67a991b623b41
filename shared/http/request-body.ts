import type * as z from 'zod';
import { type FieldError, ServiceError } from '#shared/errors/service-error';

/**
 * Checks a parsed body against the endpoint's schema.
 *
 * @throws ServiceError `validation_failed`, with the path of each field at fault.
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ServiceError(
    'validation_failed',
    'The request is not valid. See errors for each field at fault.',
    { errors: parsed.error.issues.map(toFieldError) },
  );
}

const toFieldError = ({ path, message }: z.core.$ZodIssue): FieldError => ({
  path: path.join('.') || 'body',
  message,
});
