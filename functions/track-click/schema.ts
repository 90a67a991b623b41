import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';

/** Path of GET and HEAD /t/c/{token}. */
export const pathSchema = z.object({ token: z.string() });

/** Response 302, to the destination of the link. */
export const responseSchema = noBody;
