import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { type AuditStore, auditPositionSchema } from '#shared/audit/audit-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { ListAuditEntriesQuery } from './endpoint.ts';

/**
 * Lists the changes of the manager's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listAuditEntries(
  credential: string | undefined,
  parse: () => ListAuditEntriesQuery,
  { audit, ...authentication }: Authentication & { audit: Pick<AuditStore, 'list'> },
) {
  const manager = await authenticateManager(credential, authentication);
  const { limit, cursor } = parse();
  const scope = { list: 'audit', owner: manager.cursorOwner };
  const before = openCursor(cursor, auditPositionSchema, scope);
  const { entries, next } = await audit.list(
    manager.organizationId,
    { before, limit },
    authentication.now(),
  );
  return { entries, nextCursor: sealCursor(next, scope) };
}
