import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { openApiKeyStore } from '#shared/organizations/api-key-store';
import { openSignInStore } from '#shared/organizations/sign-in-store';
import { openTable } from '#shared/table/table-client';
import { createSignInLink } from './create-sign-in-link.ts';
import { responseSchema } from './schema.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const signingIn = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  signIns: openSignInStore(table),
};

export const handler = bodilessEndpoint(async ({ headers }) =>
  createdResponse(
    responseSchema.parse(await createSignInLink(presentedCredential(headers), signingIn)),
  ),
);
