import { settleTenant, type TenantWatch } from '#shared/identity/settle-tenant';
import type { RequestLog } from '#shared/observability/request-log';
import type { TenantEvent } from './schema.ts';

/**
 * Stores at once what SES has changed for an organization as its tenant, so that its sends are refused with the
 * reason, or go on. The daily check would find it too: SES's events are best effort.
 *
 * @throws Error when SES or the table does not answer. Lambda then repeats the event.
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
