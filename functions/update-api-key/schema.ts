import * as z from 'zod/mini';
import { apiKeyFields, apiKeyViewSchema } from '#shared/access/api-key-fields';
import { apiKeyIdSchema } from '#shared/tokens/resource-id';

/** Path of PATCH /api/v1/api-keys/{id}. */
export const pathSchema = z.object({ id: apiKeyIdSchema });

/** Body of PATCH /api/v1/api-keys/{id}: the fields to change. `null` takes a cap or the expiry away. */
export const requestSchema = z
  .strictObject({
    name: z.exactOptional(apiKeyFields.name),
    scopes: z.exactOptional(apiKeyFields.scopes),
    perMinuteCap: z.exactOptional(z.nullable(apiKeyFields.perMinuteCap)),
    dailyCap: z.exactOptional(z.nullable(apiKeyFields.dailyCap)),
    validUntil: z.exactOptional(z.nullable(apiKeyFields.validUntil)),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'give at least one of name, scopes, perMinuteCap, dailyCap, validUntil',
    }),
  );
export type UpdateApiKeyRequest = z.infer<typeof requestSchema>;

/** Response 200. */
export const responseSchema = apiKeyViewSchema;
