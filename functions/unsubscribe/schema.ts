import * as z from 'zod/mini';
import { htmlPage } from '#shared/http/response-body';

/** Query of POST /api/unsubscribe. RFC 8058 §3.2: the URL has the token, the body says that it is one click. */
export const querySchema = z.object({ token: z.optional(z.string()) });

/** Body, as a form or as JSON. A program without the URL says here who unsubscribes. */
export const requestSchema = z.object({
  token: z.optional(z.string()),
  email: z.optional(z.string()),
  organizationId: z.optional(z.string()),
});

/** Response 200. A program gets JSON, a browser a page. */
export const responseSchema = z.union([z.object({ status: z.literal('unsubscribed') }), htmlPage]);
