import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { createContactDependencies } from '#shared/contacts/contact-dependencies';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { getPreferences } from './get-preferences.ts';
import { responseSchema } from './schema.ts';

const dependencies = createContactDependencies(parseEnvironment(contactEnvironment));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const preferences = await getPreferences(
    { token: query['token'], email: query['email'], credential: presentedCredential(headers) },
    dependencies,
  );
  return jsonResponse(responseSchema.parse(preferences));
});
