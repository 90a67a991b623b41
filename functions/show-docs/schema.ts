import * as z from 'zod/mini';
import { builtFileHeadersSchema } from '#shared/http/built-file';
import { htmlPage, noBody } from '#shared/http/response-body';

/** `If-None-Match`, `Accept-Encoding`. */
export const headersSchema = builtFileHeadersSchema;

/** Response 200: the page; or 304, if the caller has it. */
export const responseSchema = z.union([htmlPage, noBody]);
