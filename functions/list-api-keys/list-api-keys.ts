import { type ApiKeyStore, apiKeyPositionSchema } from '#shared/access/api-key-store';
import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { ListApiKeysQuery } from './endpoint.ts';

/**
 * Lists the API keys of the manager's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listApiKeys(
  credential: string | undefined,
  parse: () => ListApiKeysQuery,
  {
    apiKeyLists,
    ...authentication
  }: Authentication & { apiKeyLists: Pick<ApiKeyStore, 'readPage'> },
) {
  const manager = await authenticateManager(credential, authentication);
  const { limit, cursor } = parse();
  const scope = { list: 'api-keys', owner: manager.cursorOwner };
  const before = openCursor(cursor, apiKeyPositionSchema, scope);
  const { apiKeys, next } = await apiKeyLists.readPage(
    manager.organizationId,
    { before, limit },
    authentication.now(),
  );
  return { apiKeys, nextCursor: sealCursor(next, scope) };
}
