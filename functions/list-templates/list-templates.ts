import { type Authentication, authenticateKey } from '#shared/organizations/authenticate-caller';
import type { TemplateListStore, TemplatePage } from '#shared/templates/template-list-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import type { ListTemplatesQuery } from './schema.ts';

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
): Promise<TemplatePage> {
  const apiKey = await authenticateKey(credential, authentication);
  const { limit, cursor } = parse();
  return templateLists.read(organizationIdOf(apiKey.id), { before: cursor, limit });
}
