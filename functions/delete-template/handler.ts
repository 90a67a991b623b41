import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { deleteTemplate } from '#shared/templates/edit-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const deletion = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, deletion, deleteTemplate);
