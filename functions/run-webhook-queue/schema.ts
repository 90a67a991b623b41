import * as z from 'zod/mini';

/** Response 200 of GET /api/webhooks/queue/run. */
export const responseSchema = z.object({
  processed: z.int(),
  delivered: z.int(),
  rescheduled: z.int(),
  failed: z.int(),
});
