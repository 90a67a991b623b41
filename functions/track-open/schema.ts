import * as z from 'zod/mini';
import { gifImage } from '#shared/http/response-body';

/** Path of GET and HEAD /t/o/{token}. */
export const pathSchema = z.object({ token: z.string() });

/** Response 200. */
export const responseSchema = gifImage;
