import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changesTemplate, templateChange } from '#shared/templates/change-template';
import { publishTemplate } from '#shared/templates/edit-template';
import { exampleChangedTemplate, templateWords } from '#shared/templates/template-reference';
import { answerOf, templateViewSchema } from '#shared/templates/template-view';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    ...templateChange,
    route: 'POST /api/v1/templates/{id}/publish',
    answers: {
      200: {
        body: templateViewSchema,
        description: 'The published template.',
        headers: ['ETag'],
        example: { ...exampleChangedTemplate, alias: 'receipt' },
      },
    },
    errors: ['concurrent_change', 'version_mismatch'],
    lambda: { stack: 'Templates', ...changesTemplate },
    words: {
      section: 'Templates',
      summary: 'Publish a template',
      description:
        'Sends use the draft from now on. What they used before stays as a version that a send can name; the last 20 are kept. Without a draft, nothing changes. With `If-Match`, only the version that you have seen is published.',
      fields: templateWords,
      example: { path: { id: exampleIds.template }, headers: { 'if-match': '"2"' } },
    },
  },
  async (request, service) => answerOf(await publishTemplate(request, service)),
);
