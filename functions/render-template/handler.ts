import { serve } from '#shared/endpoints/serve';
import { renderOrRefuse, withoutLayout } from '#shared/templates/rendering/render-or-refuse';
import { publishedOf } from '#shared/templates/template';
import { wordsIn } from '#shared/templates/template-locale';
import { findTemplate, findVersion, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  openTemplates,
  async ({ caller, path, body }, { templates }) => {
    const newest = await findTemplate(path.id, caller.organizationId, templates);
    const { templateVersion = (publishedOf(newest) ?? newest).version, locale, variables } = body;
    const template = await findVersion(newest, templateVersion, templates);
    const layout = template.layout && (await templates.get(template.layout));
    const around = layout && publishedOf(layout);
    if (template.layout && !around) throw withoutLayout();
    const parts = {
      ...wordsIn(template, locale),
      variables: template.variables,
      ...(around && { layoutParts: wordsIn(around, locale) }),
    };
    return renderOrRefuse(parts, variables);
  },
);
