import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';
import { webhookIdSchema } from '#shared/tokens/resource-id';

/** Path of DELETE /api/v1/webhooks/{id}. */
export const pathSchema = z.object({ id: webhookIdSchema });

/** Response 204. */
export const responseSchema = noBody;
