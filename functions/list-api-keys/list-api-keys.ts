import { toApiKeyView } from '#shared/access/api-key-fields';
import { type ApiKeyStore, apiKeyPositionSchema } from '#shared/access/api-key-store';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { openCursor, sealCursor } from '#shared/table/cursor';
import type { endpoint } from './endpoint.ts';

type ApiKeyListing = {
  readonly now: () => number;
  readonly apiKeys: Pick<ApiKeyStore, 'readPage'>;
};

export async function listApiKeys(
  { caller, query: { limit, cursor } }: RequestTo<typeof endpoint>,
  { now: readClock, apiKeys }: ApiKeyListing,
) {
  const now = readClock();
  const scope = { list: 'api-keys', owner: caller.cursorOwner };
  const before = openCursor(cursor, apiKeyPositionSchema, scope);
  const page = await apiKeys.readPage(caller.organizationId, { before, limit }, now);
  return {
    data: page.apiKeys.map((apiKey) => toApiKeyView(apiKey, now)),
    nextCursor: sealCursor(page.next, scope),
  };
}
