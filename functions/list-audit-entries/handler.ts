import { openAuthentication } from '#shared/access/authenticate';
import { auditPositionSchema, openAuditStore } from '#shared/audit/audit-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = { ...openAuthentication(table), audit: openAuditStore(table) };

export const handler = serve(endpoint, reading, async ({ caller, query }, { audit, now }) => {
  const { limit, cursor } = query;
  const scope = { list: 'audit', owner: caller.cursorOwner };
  const before = openCursor(cursor, auditPositionSchema, scope);
  const { entries, next } = await audit.list(caller.organizationId, { before, limit }, now());
  return { data: entries, nextCursor: sealCursor(next, scope) };
});
