import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { openTemplates } from '#shared/templates/templates';
import { deleteTemplate } from './delete-template.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await deleteTemplate(
    {
      credential: presentedCredential(headers),
      id: pathParameters['id'] ?? '',
      ifMatch: headers['if-match'],
    },
    templates,
  );
  return noContentResponse;
});
