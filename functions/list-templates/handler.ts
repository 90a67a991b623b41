import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { openTable } from '#shared/table/table-client';
import {
  openTemplateListStore,
  templatePositionSchema,
} from '#shared/templates/template-list-store';
import { endpoint } from './endpoint.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const listing = {
  ...openAuthentication(table),
  templateLists: openTemplateListStore(table),
};

export const handler = serve(endpoint, listing, async ({ caller, query }, { templateLists }) => {
  const { organizationId, cursorOwner: owner } = caller;
  const scope = { list: 'templates', owner };
  const before = openCursor(query.cursor, templatePositionSchema, scope);
  const range = { before, limit: query.limit };
  const { templates, next } = await templateLists.read(organizationId, range);
  // The draft and the moment of publishing are Resend's to show: `shared/resend/templates.ts`.
  const data = templates.map(({ isDraft: _draft, publishedAt: _at, ...summary }) => summary);
  return { data, nextCursor: sealCursor(next, scope) };
});
