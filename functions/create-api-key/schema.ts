import * as z from 'zod/mini';
import { apiKeyFields, apiKeyWithTextSchema } from '#shared/access/api-key-fields';

/** Body of POST /api/v1/api-keys. */
export const requestSchema = z.strictObject({
  name: apiKeyFields.name,
  scopes: z._default(apiKeyFields.scopes, []),
  perMinuteCap: z.exactOptional(apiKeyFields.perMinuteCap),
  dailyCap: z.exactOptional(apiKeyFields.dailyCap),
  validUntil: z.exactOptional(apiKeyFields.validUntil),
});
export type CreateApiKeyRequest = z.infer<typeof requestSchema>;

/** Response 201, with the key's text. Only the answer to a rotation has one too. */
export const responseSchema = apiKeyWithTextSchema;
