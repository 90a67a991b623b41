import { type Authentication, admitCaller } from '#shared/access/authenticate';
import { openCursor, sealCursor } from '#shared/table/cursor';
import {
  type TemplateListStore,
  templatePositionSchema,
} from '#shared/templates/template-list-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { ListTemplatesQuery } from './endpoint.ts';

/**
 * Lists the templates of the key's organization, newest first.
 *
 * @param parse reads the query, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `validation_failed`
 */
export async function listTemplates(
  credential: string | undefined,
  parse: () => ListTemplatesQuery,
  { templateLists, ...authentication }: Authentication & { templateLists: TemplateListStore },
) {
  const { apiKey, cursorOwner: owner } = await admitCaller(credential, authentication);
  const { limit, cursor } = parse();
  const scope = { list: 'templates', owner };
  const before = openCursor(cursor, templatePositionSchema, scope);
  const { templates, next } = await templateLists.read(organizationIdOf(apiKey.id), {
    before,
    limit,
  });
  return { templates, nextCursor: sealCursor(next, scope) };
}
