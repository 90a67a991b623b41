import { ServiceError } from '#shared/errors/service-error';
import { requireOneDirection, resendList, unknownEntry } from '#shared/resend/list-page';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { positionOf, toListedTemplate } from '#shared/resend/templates';
import { openTemplateListStore } from '#shared/templates/template-list-store';
import { findTemplate } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const defaultLimit = 20;

export const handler = serveResend(
  endpoint,
  (table) => ({
    ...openNamedTemplates(table),
    templateLists: openTemplateListStore(table),
  }),
  async ({ caller: { organizationId }, query }, { templates, aliases, templateLists }) => {
    const { limit = defaultLimit, after, before } = query;
    requireOneDirection(query);
    const placeOf = async (parameter: 'after' | 'before', name: string) => {
      try {
        const id = await templateIdOf(name, organizationId, { aliases });
        return positionOf(await findTemplate(id, organizationId, templates));
      } catch (error) {
        if (error instanceof ServiceError) throw unknownEntry(parameter);
        throw error;
      }
    };
    if (before === undefined) {
      const start = after === undefined ? undefined : await placeOf('after', after);
      const page = await templateLists.read(organizationId, { before: start, limit });
      return resendList(page.templates.map(toListedTemplate), page.next !== undefined);
    }
    const range = { after: await placeOf('before', before), limit: limit + 1 };
    const newer = await templateLists.readNewer(organizationId, range);
    return resendList(newer.slice(-limit).map(toListedTemplate), newer.length > limit);
  },
);
