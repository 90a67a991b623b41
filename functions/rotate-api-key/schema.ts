import * as z from 'zod/mini';
import { apiKeyWithTextSchema } from '#shared/access/api-key-fields';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';

/** Path of POST /api/v1/api-keys/{id}/rotate. */
export const pathSchema = z.object({ id: apiKeyIdSchema });

const defaultOverlapHours = 24;
const maxOverlapHours = 168;

/** Body of POST /api/v1/api-keys/{id}/rotate. A request without a body counts as an empty one. */
export const requestSchema = z.strictObject({
  /** How long the key is still valid beside its successor. With 0 it ends at once. */
  overlapHours: z._default(z.number().check(z.gte(0), z.lte(maxOverlapHours)), defaultOverlapHours),
});
export type RotateApiKeyRequest = z.infer<typeof requestSchema>;

/** Response 201: the successor, with its text. */
export const responseSchema = apiKeyWithTextSchema;
