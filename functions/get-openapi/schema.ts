import * as z from 'zod/mini';
import { builtFileHeadersSchema } from '#shared/http/built-file';
import { noBody, openApiDescription } from '#shared/http/response-body';

/** `If-None-Match`, `Accept-Encoding`. */
export const headersSchema = builtFileHeadersSchema;

/** Response 200; or 304, if the caller has it. */
export const responseSchema = z.union([openApiDescription, noBody]);
