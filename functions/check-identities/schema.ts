import * as z from 'zod/mini';

/** What the schedule sends. */
export const eventSchema = z.object({ scheduledRun: z.literal(true) });
