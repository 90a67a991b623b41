import * as z from 'zod/mini';
import { apiKeyViewSchema } from '#shared/access/api-key-fields';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

/** Query of GET /api/v1/api-keys. */
export const querySchema = z.strictObject(pageQueryFields);
export type ListApiKeysQuery = z.infer<typeof querySchema>;

/** Response 200: newest first, without their secrets. */
export const responseSchema = pageSchema(apiKeyViewSchema);
