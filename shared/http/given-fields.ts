import * as z from 'zod/mini';

// Fields of requests in the form of another service's API.

/** Programs that fill in every field write `null` for what they don't have. */
export const given = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z.optional(z.nullable(schema));

/** Refused by name, because it does nothing here and nothing may be ignored silently. */
export const unsupported = (reason = 'is not supported here: leave it out') =>
  given(z.never({ error: reason }));

/** Accepts only the value that applies here anyway. */
export const always = <const Value extends string>(value: Value, reason: string) =>
  given(z.literal(value, { error: reason }));

export const present = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/** Says of one name after the other whether it came before. */
export function repeats(): (name: string) => boolean {
  const seen = new Set<string>();
  return (name) => seen.size === seen.add(name).size;
}
