import * as z from 'zod/mini';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationName } from '#shared/organizations/organization-fields';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of PATCH /api/v1/organizations/{id}. */
export const pathSchema = z.object({ id: organizationIdSchema });

/** Body of PATCH /api/v1/organizations/{id}: the fields to change. */
export const requestSchema = z
  .strictObject({
    name: z.exactOptional(organizationName),
    paused: z.exactOptional(z.boolean()),
    attachmentsEnabled: z.exactOptional(z.boolean()),
    linksDisabled: z.exactOptional(z.boolean()),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'give at least one of name, paused, attachmentsEnabled, linksDisabled',
    }),
  );
export type UpdateOrganizationRequest = z.infer<typeof requestSchema>;

/** Response 200: the organization as it is now. */
export const responseSchema = organizationViewSchema;
