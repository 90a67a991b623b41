import * as z from 'zod/mini';
import { readsSesTenants } from '#shared/domains/ses-tenants';
import { defineFunction } from '#shared/endpoints/background-function';
import { settleTenant, type TenantWatch } from '#shared/identity/settle-tenant';
import type { RequestLog } from '#shared/observability/request-log';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** The name in `arn:aws:ses:eu-west-1:123456789012:tenant/org_…/tn-…`, which is the organization's id. */
const tenantName = /:tenant\/([^/]+)/;

/**
 * EventBridge's event when SES starts or stops a tenant's sending (SES guide, "Tenants": `Sending Status Enabled` and
 * `Sending Status Disabled`). SES is asked for the status, so both are handled alike.
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
type TenantEvent = z.output<typeof eventSchema>;

export const backgroundFunction = defineFunction(
  {
    trigger: 'event-rule',
    event: eventSchema,
    uses: { tenantStates: readsSesTenants },
    lambda: {
      tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
      timeoutSeconds: 30,
    },
  },
  checkTenant,
);

/**
 * Stores SES's change to a tenant at once. SES's events are best effort: if one is lost, the daily check finds the
 * change.
 *
 * @throws Error when SES or the table doesn't answer. Lambda then repeats the event.
 */
export async function checkTenant(
  { resources }: TenantEvent,
  watch: TenantWatch,
  log: RequestLog,
): Promise<void> {
  for (const organizationId of resources) {
    const outcome = await settleTenant(organizationId, watch);
    log.info('tenant checked', { organizationId, outcome });
  }
}
