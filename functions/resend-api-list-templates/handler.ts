import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { requireOneDirection, resendList } from '#shared/resend/list-page';
import { renderManagementError } from '#shared/resend/resend-error';
import { positionOf, templateIdOf, toListedTemplate } from '#shared/resend/templates';
import { openTable } from '#shared/table/table-client';
import { openTemplateListStore } from '#shared/templates/template-list-store';
import { openTemplateAliasStore } from '#shared/templates/template-store';
import { findTemplate, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(tableEnvironment);
const table = openTable(environment.TABLE_NAME);
const listing = {
  ...openTemplates(environment),
  aliases: openTemplateAliasStore(table),
  templateLists: openTemplateListStore(table),
};

const defaultLimit = 20;

export const handler = serve(
  endpoint,
  listing,
  async ({ caller: { organizationId }, query }, { templates, aliases, templateLists }) => {
    const { limit = defaultLimit, after, before } = query;
    requireOneDirection(query);
    const placeOf = async (name: string) => {
      const id = await templateIdOf(name, organizationId, { aliases });
      return positionOf(await findTemplate(id, organizationId, templates));
    };
    if (before === undefined) {
      const start = after === undefined ? undefined : await placeOf(after);
      const page = await templateLists.read(organizationId, { before: start, limit });
      return resendList(page.templates.map(toListedTemplate), page.next !== undefined);
    }
    const range = { after: await placeOf(before), limit: limit + 1 };
    const newer = await templateLists.readNewer(organizationId, range);
    return resendList(newer.slice(-limit).map(toListedTemplate), newer.length > limit);
  },
  renderManagementError,
);
