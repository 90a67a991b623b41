import * as z from 'zod/mini';

/** Response 200 of POST /api/unsubscribe to a program; a browser gets a page. */
export const responseSchema = z.object({ status: z.literal('unsubscribed') });
