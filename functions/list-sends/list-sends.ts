import { type Authentication, authenticateReader } from '#shared/access/authenticate';
import { readSends, sendPositionSchema } from '#shared/sends/send-list';
import type { SendListStore } from '#shared/sends/send-list-store';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { timeAt } from '#shared/table/list-position';
import { contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import type { ListSendsQuery } from './endpoint.ts';

/**
 * Lists the sends of the key's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`
 */
export async function listSends(
  credential: string | undefined,
  parse: () => ListSendsQuery,
  reading: Authentication & { readonly sends: SendListStore },
) {
  const { apiKey, cursorOwner: owner } = await authenticateReader(credential, reading);
  const organizationId = organizationIdOf(apiKey.id);
  const { limit, cursor, ...filters } = parse();
  const { to, from: since, until, status, template, key } = filters;
  const scope = { list: 'sends', owner, filters };
  const before = openCursor(cursor, sendPositionSchema, scope);
  const { found, next } = await readSends(
    organizationId,
    {
      before,
      since,
      until,
      limit,
      status,
      to: to && contactIdOf(organizationId, to.identity),
      templateId: template,
      apiKeyId: key,
    },
    reading,
  );
  return {
    sends: found,
    nextCursor: sealCursor(next, scope),
    lookedUntil: next === undefined ? null : timeAt(next),
  };
}
