import * as z from 'zod/mini';
import { listPositionOf } from '#shared/table/list-position';

/** Where a send stands in a list by time: its time, and its slot, which tells two of one moment apart. */
export const sendPositionSchema = listPositionOf(
  z.string().check(z.regex(/^[a-z2-7]{24}$/)),
).brand<'SendPosition'>();
export type SendPosition = z.infer<typeof sendPositionSchema>;
