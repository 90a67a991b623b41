import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of GET /api/v1/organizations/{id}. */
export const pathSchema = z.object({ id: organizationIdSchema });

export const responseSchema = organizationViewSchema;
