import * as z from 'zod/mini';
import { htmlPage } from '#shared/http/response-body';

/** Query of GET /notices/confirmation: the token of the link. */
export const querySchema = z.object({ token: z.optional(z.string()) });

/** Response 200. */
export const responseSchema = htmlPage;
