import type { ApiKeyListStore, ApiKeyPage } from '#shared/organizations/api-key-list-store';
import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { ListApiKeysQuery } from './schema.ts';

/**
 * Lists the API keys of the manager's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listApiKeys(
  credential: string | undefined,
  parse: () => ListApiKeysQuery,
  { apiKeyLists, ...authentication }: Authentication & { apiKeyLists: ApiKeyListStore },
): Promise<ApiKeyPage> {
  const { organizationId } = await authenticateManager(credential, authentication);
  const { limit, cursor } = parse();
  return apiKeyLists.read(organizationId, { before: cursor, limit }, authentication.now());
}
