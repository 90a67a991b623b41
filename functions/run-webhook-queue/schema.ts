import * as z from 'zod/mini';

/** `X-Cron-Secret`: the cron secret of the deployment. */
export const headersSchema = z.object({ 'x-cron-secret': z.optional(z.string()) });

/** Response 200 of GET /api/webhooks/queue/run. */
export const responseSchema = z.object({
  processed: z.int(),
  delivered: z.int(),
  rescheduled: z.int(),
  failed: z.int(),
});
