import type { SuppressionListStore } from '#shared/contacts/suppression-list-store';
import { readSuppressions } from '#shared/contacts/suppression-search';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { ListSuppressionsQuery } from './schema.ts';

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
  const { organizationId } = await authenticateManager(credential, reading);
  const { limit, cursor: before, reason, from: since, until } = parse();
  const selection = { limit, before, reason, since, until };
  return readSuppressions(organizationId, selection, reading.suppressions);
}
