import type { AuditStore } from '#shared/audit/audit-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { ListAuditEntriesQuery } from './schema.ts';

/**
 * Lists the changes of the manager's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listAuditEntries(
  credential: string | undefined,
  parse: () => ListAuditEntriesQuery,
  { audit, ...authentication }: Authentication & { audit: AuditStore },
) {
  const { organizationId } = await authenticateManager(credential, authentication);
  const { limit, cursor } = parse();
  return audit.list(organizationId, { before: cursor, limit }, authentication.now());
}
