import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type SuppressionListStore,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { readSuppressions } from '#shared/suppressions/suppression-search';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { endpoint } from './endpoint.ts';

export async function listSuppressions(
  { caller, query: { limit, cursor, ...filters } }: RequestTo<typeof endpoint>,
  { suppressions }: { readonly suppressions: SuppressionListStore },
) {
  const scope = { list: 'suppressions', owner: caller.cursorOwner, filters };
  const before = openCursor(cursor, suppressionPositionSchema, scope);
  const { from: since, until, reason } = filters;
  const selection = { limit, before, reason, since, until };
  const { found, next } = await readSuppressions(caller.organizationId, selection, suppressions);
  return { suppressions: found, nextCursor: sealCursor(next, scope) };
}
