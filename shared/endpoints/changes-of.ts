import * as z from 'zod/mini';

/**
 * The body of a request that changes at least one of these fields.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const changesOf = <const Shape extends z.core.$ZodShape>(
  fields: Shape,
  error = `give at least one of ${Object.keys(fields).join(', ')}`,
) => z.strictObject(fields).check(z.refine((given) => Object.keys(given).length > 0, { error }));
