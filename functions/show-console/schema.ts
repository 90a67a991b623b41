import * as z from 'zod/mini';
import { htmlPage, scriptFile, styleFile } from '#shared/http/response-body';

/** Path of GET /console/{proxy+}: the path below /console. */
export const pathSchema = z.object({ proxy: z.optional(z.string()) });

/** `Accept-Encoding`. */
export const headersSchema = z.object({ 'accept-encoding': z.optional(z.string()) });
export type ConsoleHeaders = z.infer<typeof headersSchema>;

/** Response 200: the shell of the app, or one of its files. */
export const responseSchema = z.union([htmlPage, scriptFile, styleFile]);
