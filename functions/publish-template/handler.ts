import { serve } from '#shared/endpoints/serve';
import { publishTemplate } from '#shared/templates/edit-template';
import { answerOf } from '#shared/templates/template-view';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openTemplates, async (request, templates) =>
  answerOf(await publishTemplate(request, templates)),
);
