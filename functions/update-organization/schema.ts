import * as z from 'zod/mini';
import type { LimitName } from '#shared/config/organization-limits';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { limitsViewSchema } from '#shared/organizations/limits-view';
import { organizationName } from '#shared/organizations/organization-fields';
import { limitValue } from '#shared/organizations/organization-limits';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of PATCH /api/v1/organizations/{id}. */
export const pathSchema = z.object({ id: organizationIdSchema });

const own = (name: LimitName) => z.exactOptional(z.nullable(limitValue(name)));

const limits: Record<LimitName, ReturnType<typeof own>> = {
  sendsPerSecond: own('sendsPerSecond'),
  recipientsPerDay: own('recipientsPerDay'),
  apiKeys: own('apiKeys'),
  templates: own('templates'),
  webhooks: own('webhooks'),
  policies: own('policies'),
  categories: own('categories'),
  uploadBytesPerDay: own('uploadBytesPerDay'),
};

/** Body of PATCH /api/v1/organizations/{id}: the fields to change. */
export const requestSchema = z
  .strictObject({
    name: z.exactOptional(organizationName),
    paused: z.exactOptional(z.boolean()),
    attachmentsEnabled: z.exactOptional(z.boolean()),
    linksDisabled: z.exactOptional(z.boolean()),
    /** `null` makes one the deployment's again. */
    limits: z.exactOptional(z.strictObject(limits)),
  })
  .check(
    z.refine((changes) => Object.keys(changes).length > 0, {
      error: 'give at least one of name, paused, attachmentsEnabled, linksDisabled, limits',
    }),
  );
export type UpdateOrganizationRequest = z.infer<typeof requestSchema>;

/** Response 200: the organization as it is now. */
export const responseSchema = z.extend(organizationViewSchema, { limits: limitsViewSchema });
