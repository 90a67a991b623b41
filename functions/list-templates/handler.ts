import { serve } from '#shared/endpoints/serve';
import { openCursor, sealCursor } from '#shared/table/cursor';
import {
  openTemplateListStore,
  templatePositionSchema,
} from '#shared/templates/template-list-store';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  { templateLists: openTemplateListStore },
  async ({ caller, query }, { templateLists }) => {
    const { organizationId, cursorOwner: owner } = caller;
    const scope = { list: 'templates', owner };
    const before = openCursor(query.cursor, templatePositionSchema, scope);
    const range = { before, limit: query.limit };
    const { templates, next } = await templateLists.read(organizationId, range);
    return { data: templates, nextCursor: sealCursor(next, scope) };
  },
);
