import * as z from 'zod/mini';

// zod checks every entry, and makes an issue for each faulty one, before it looks at the length: for a body of some MB
// that takes seconds and GBs, and a send's body is read before its caller is known.

/**
 * Cuts a list or a record that is too long before its entries are checked. Not by a pipe, behind which the description
 * wouldn't know that the field is required.
 *
 * @param allowed one more is kept, so that the schema refuses a longer list instead of losing a part unnoticed.
 */
export function cut<Schema extends z.core.$ZodType>(allowed: number, schema: Schema): Schema {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => {
    payload.value = cutTo(allowed + 1, payload.value);
    return run(payload, context);
  };
  return schema;
}

function cutTo(most: number, given: unknown): unknown {
  if (Array.isArray(given)) return given.slice(0, most);
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return entries.length > most ? Object.fromEntries(entries.slice(0, most)) : given;
}

export const boundedList = <Entry extends z.ZodMiniType>(entry: Entry, most: number, least = 0) =>
  cut(most, z.array(entry).check(...(least > 0 ? [z.minLength(least)] : []), z.maxLength(most)));
