import { auditPositionSchema, openAuditStore } from '#shared/audit/audit-store';
import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { audit: openAuditStore },
  async ({ caller, query }, { audit, now }) => {
    const { limit, cursor } = query;
    const scope = { list: 'audit', owner: caller.cursorOwner };
    const before = openCursor(cursor, auditPositionSchema, scope);
    const { entries, next } = await audit.list(caller.organizationId, { before, limit }, now());
    return { data: entries, nextCursor: sealCursor(next, scope) };
  },
);
