import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';

/** Path of DELETE /api/v1/api-keys/{id}. */
export const pathSchema = z.object({ id: apiKeyIdSchema });

/** Response 204. */
export const responseSchema = noBody;
