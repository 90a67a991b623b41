import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** Of `arn:aws:ses:eu-west-1:123456789012:tenant/org_…/tn-…` the name, which is the organization's id. */
const tenantName = /:tenant\/([^/]+)/;

/**
 * EventBridge's event that SES lets a tenant send, or not any more (SES guide, "Tenants": `Sending Status
 * Enabled` and `Sending Status Disabled`). Which of them it is does not matter: SES is asked.
 */
export const eventSchema = z.object({
  source: z.literal('aws.ses'),
  resources: z.pipe(
    z.array(z.string()),
    z.transform((arns) =>
      arns.flatMap((arn) => {
        const { data } = organizationIdSchema.safeParse(tenantName.exec(arn)?.[1]);
        return data === undefined ? [] : [data];
      }),
    ),
  ),
});
export type TenantEvent = z.output<typeof eventSchema>;
