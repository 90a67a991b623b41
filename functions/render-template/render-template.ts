import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templatePath } from '#shared/endpoints/resource-paths';
import { findTemplate, findVersion } from '#shared/templates/find-template';
import { renderOrRefuse, withoutLayout } from '#shared/templates/rendering/render-or-refuse';
import { publishedOf } from '#shared/templates/template';
import { localeSchema, wordsIn } from '#shared/templates/template-locale';
import { getTemplate } from '#shared/templates/template-store';
import { variablesSchema } from '#shared/templates/variables';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/templates/{id}/render',
    access: { key: 'required' },
    ...templatePath,
    body: z.strictObject({
      variables: z._default(variablesSchema, {}),
      templateVersion: z.optional(z.int().check(z.minimum(1))),
      locale: z.optional(localeSchema),
    }),
    answers: {
      200: {
        body: z.object({
          subject: z.string(),
          html: z.optional(z.string()),
          content: z.string(),
          missingVariables: z.array(z.string()),
        }),
        description: 'The rendered parts.',
        example: {
          subject: 'Receipt 7',
          html: '<p>Hello Ann</p>',
          content: 'Hello Ann',
          missingVariables: [],
        },
      },
    },
    errors: ['rendered_too_large'],
    isBeta: true,
    lambda: {
      stack: 'Templates',
      tableActions: ['GetItem', 'BatchGetItem'],
      isAskedPerEmail: true,
    },
    words: {
      section: 'Templates',
      summary: 'Render a template',
      description:
        'Returns the `subject`, `html` and `content` that a send would have, from the published version or the one it names, which may be the draft. A template that was never published renders its draft. Values are escaped in HTML. An object renders as JSON, a missing variable as nothing, unless the template requires it.',
      fields: {
        templateVersion:
          'A version of the template: the published one, the draft, or one kept from before.',
        locale: 'The language, such as `de-AT`. Without words in it the template’s own are taken.',
        content: 'The rendered text. If it has no words beside the HTML, the subject.',
        subject: 'The rendered subject.',
        html: 'The rendered HTML. Absent if the template has no HTML.',
      },
      example: {
        path: { id: exampleIds.template },
        body: { variables: { name: 'Ann', order: { id: 7 } } },
      },
    },
  },
  async ({ caller, path, body }, { table }) => {
    const newest = await findTemplate(table, caller.organizationId, path.id);
    const { templateVersion = (publishedOf(newest) ?? newest).version, locale, variables } = body;
    const template = await findVersion(table, newest, templateVersion);
    const layout = template.layout && (await getTemplate(table, template.layout));
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
