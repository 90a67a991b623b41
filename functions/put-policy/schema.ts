import * as z from 'zod/mini';
import { resourceKey } from '#shared/organizations/organization-fields';
import { policyViewSchema } from '#shared/organizations/policy-view';

/** Path of PUT /api/v1/policies/{key}. */
export const pathSchema = z.object({ key: z.string() });

/** Body of PUT /api/v1/policies/{key}: the whole policy. */
export const requestSchema = z.strictObject({
  kind: z.enum(['transactional', 'bulk']),
  categoryKey: z.exactOptional(resourceKey),
});
export type PutPolicyRequest = z.infer<typeof requestSchema>;

/** Response 200: the policy as it is now. */
export const responseSchema = policyViewSchema;
