import { serve } from '#shared/endpoints/serve';
import { deleteTemplate } from '#shared/templates/edit-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openTemplates, deleteTemplate);
