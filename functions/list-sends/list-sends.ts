import type { Authentication } from '#shared/organizations/authenticate-caller';
import { authenticateReader } from '#shared/organizations/authenticate-reader';
import type { Send } from '#shared/sending/send';
import { readSends, type SendPosition } from '#shared/sending/send-list';
import type { SendListStore } from '#shared/sending/send-list-store';
import type { SearchPage } from '#shared/table/list-search';
import { contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import type { ListSendsQuery } from './schema.ts';

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
): Promise<SearchPage<SendPosition, Send>> {
  const { id } = await authenticateReader(credential, reading);
  const organizationId = organizationIdOf(id);
  const { limit, cursor: before, to, from: since, until, status, template, key } = parse();
  return readSends(
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
}
