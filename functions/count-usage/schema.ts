import * as z from 'zod/mini';

/**
 * Lambda's event for a table's stream with a tumbling window (Lambda guide,
 * "services-ddb-windows"). The last event of a window may have no records. Records are
 * checked one by one, so that a bad one doesn't hold up the others.
 */
export const tableStreamEventSchema = z.object({
  shardId: z.string().check(z.minLength(1)),
  Records: z._default(z.array(z.unknown()), []),
});
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

/** Lambda takes an answer without `state` for a failure. This function needs no state. */
export type WindowResponse = { readonly state: Readonly<Record<string, never>> };
