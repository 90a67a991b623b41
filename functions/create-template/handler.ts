import { serve } from '#shared/endpoints/serve';
import { answerOf } from '#shared/templates/template-view';
import { openTemplates } from '#shared/templates/templates';
import { createTemplate } from './create-template.ts';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openTemplates, async (request, creation) =>
  answerOf(await createTemplate(request, creation)),
);
