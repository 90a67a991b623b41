import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { newApiKeyViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of POST /api/v1/organizations/{id}/api-keys. */
export const pathSchema = z.object({ id: organizationIdSchema });

/** Response 201: a key with every scope, and its text, which is shown this once. */
export const responseSchema = newApiKeyViewSchema;
