import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { createTemplateDependencies } from '#shared/templates/template-dependencies';
import { deleteTemplate } from './delete-template.ts';

const dependencies = createTemplateDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await deleteTemplate(
    {
      credential: presentedCredential(headers),
      id: pathParameters['id'] ?? '',
      ifMatch: headers['if-match'],
    },
    dependencies,
  );
  return noContentResponse;
});
