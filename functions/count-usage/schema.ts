import * as z from 'zod/mini';

/**
 * The invocation that Lambda makes of a table's stream with a tumbling window (Lambda guide,
 * "services-ddb-windows"): the last one of a window may come without records. Each record is judged
 * by itself, so that a bad one holds up no other.
 */
export const tableStreamEventSchema = z.object({
  shardId: z.string().check(z.minLength(1)),
  Records: z._default(z.array(z.unknown()), []),
});
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

/** Without a `state` Lambda takes the invocation for a failed one; this function needs none. */
export type WindowResponse = { readonly state: Readonly<Record<string, never>> };
