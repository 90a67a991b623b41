import { type ApiKeyListStore, apiKeyPositionSchema } from '#shared/access/api-key-list-store';
import type { Authentication } from '#shared/access/authenticate-caller';
import { authenticateManager } from '#shared/access/authenticate-manager';
import { openCursor, sealCursor } from '#shared/table/cursor';
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
) {
  const manager = await authenticateManager(credential, authentication);
  const { limit, cursor } = parse();
  const scope = { list: 'api-keys', owner: manager.cursorOwner };
  const before = openCursor(cursor, apiKeyPositionSchema, scope);
  const { apiKeys, next } = await apiKeyLists.read(
    manager.organizationId,
    { before, limit },
    authentication.now(),
  );
  return { apiKeys, nextCursor: sealCursor(next, scope) };
}
