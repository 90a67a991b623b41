import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';

/** Path of DELETE /api/v1/idempotency-keys/{key}. A key may hold slashes. */
export const pathSchema = z.object({ key: z.string() });

/** Response 204. */
export const responseSchema = noBody;
