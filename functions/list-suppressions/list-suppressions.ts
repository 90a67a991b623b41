import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import {
  type SuppressionListStore,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import { readSuppressions } from '#shared/suppressions/suppression-search';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { ListSuppressionsQuery } from './endpoint.ts';

/**
 * Lists the suppressions of the key's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listSuppressions(
  credential: string | undefined,
  parse: () => ListSuppressionsQuery,
  reading: Authentication & { readonly suppressions: SuppressionListStore },
) {
  const { organizationId, cursorOwner: owner } = await authenticateManager(credential, reading);
  const { limit, cursor, ...filters } = parse();
  const scope = { list: 'suppressions', owner, filters };
  const before = openCursor(cursor, suppressionPositionSchema, scope);
  const { from: since, until, reason } = filters;
  const selection = { limit, before, reason, since, until };
  const { found, next } = await readSuppressions(organizationId, selection, reading.suppressions);
  return { suppressions: found, nextCursor: sealCursor(next, scope) };
}
