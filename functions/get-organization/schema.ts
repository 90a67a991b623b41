import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { limitsViewSchema, useViewSchema } from '#shared/organizations/limits-view';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of GET /api/v1/organizations/{id}. */
export const pathSchema = z.object({ id: organizationIdSchema });

/** Response 200: what the operator lets the organization use, too, and what it uses. */
export const responseSchema = z.extend(organizationViewSchema, {
  limits: limitsViewSchema,
  use: useViewSchema,
});
