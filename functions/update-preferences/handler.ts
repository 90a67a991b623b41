import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { createContactDependencies } from '#shared/contacts/contact-dependencies';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { requestSchema, responseSchema } from './schema.ts';
import { updatePreferences } from './update-preferences.ts';

const dependencies = createContactDependencies(parseEnvironment(contactEnvironment));

export const handler = jsonEndpoint(async ({ body, headers }) => {
  const { token, email, subscriptions } = parseBody(requestSchema, body);
  const preferences = await updatePreferences(
    { token, email, credential: presentedCredential(headers) },
    subscriptions,
    dependencies,
  );
  return jsonResponse(responseSchema.parse(preferences));
});
