import * as z from 'zod/mini';
import { htmlPage, noBody } from '#shared/http/response-body';

/** Path of GET and HEAD /t/c/{token}. */
export const pathSchema = z.object({ token: z.string() });

/** Response 302, to the destination of the link; or 200, the page that asks first. */
export const responseSchema = z.union([htmlPage, noBody]);
