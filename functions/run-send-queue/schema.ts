import * as z from 'zod/mini';

/** What EventBridge Scheduler invokes the function with. */
export const eventSchema = z.object({ scheduledRun: z.literal(true) });
