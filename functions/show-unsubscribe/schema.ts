import * as z from 'zod/mini';
import { htmlPage, noBody } from '#shared/http/response-body';

/** Query of GET /api/unsubscribe: the token of the link. */
export const querySchema = z.object({ token: z.optional(z.string()) });

/** Response 200: our page; or 302, to the organization's own page. */
export const responseSchema = z.union([htmlPage, noBody]);
