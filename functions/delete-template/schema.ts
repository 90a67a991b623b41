import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Path of DELETE /api/v1/templates/{id}. */
export const pathSchema = z.object({ id: templateIdSchema });

/** `If-Match`: the versions that the caller has seen, as `ETag` gave them. */
export const headersSchema = z.object({ 'if-match': z.optional(z.string()) });

/** Response 204. */
export const responseSchema = noBody;
