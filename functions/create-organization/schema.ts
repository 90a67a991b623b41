import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationName } from '#shared/organizations/organization-fields';
import {
  newApiKeyViewSchema,
  organizationViewSchema,
} from '#shared/organizations/organization-view';

export const headersSchema = operatorHeadersSchema;

/** Body of POST /api/v1/organizations. */
export const requestSchema = z.strictObject({
  name: organizationName,
  attachmentsEnabled: z._default(z.boolean(), false),
});
export type CreateOrganizationRequest = z.infer<typeof requestSchema>;

/** Response 201: the organization, and its first key with the text that is shown this once. */
export const responseSchema = z.object({
  organization: organizationViewSchema,
  apiKey: newApiKeyViewSchema,
});
