import type * as z from 'zod/mini';
import { parseBody } from './request-body.ts';

/**
 * Checks a request's query parameters against the endpoint's schema. Ignores unknown ones.
 *
 * @throws ServiceError `validation_failed`, with the name of each parameter at fault.
 */
export const parseQuery = <Schema extends z.core.$ZodType>(
  schema: Schema,
  query: Readonly<Record<string, string | undefined>>,
): z.output<Schema> => parseBody(schema, query);
