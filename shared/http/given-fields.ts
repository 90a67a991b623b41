import * as z from 'zod/mini';

// Fields of requests in the form of another service's API.

/** Programs that fill in every field write `null` for what they don't have. */
export const given = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.optional(z.nullable(schema));

/** Does nothing here, and is refused by name, since nothing may be ignored silently. */
export const unsupported = (reason = 'is not supported here: leave it out') =>
  given(z.never({ error: reason }));

/** Its only possible value is what holds here anyway. */
export const always = <const Value extends string>(value: Value, reason: string) =>
  given(z.literal(value, { error: reason }));

/** Without the fields that are `null` or absent. */
export const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
