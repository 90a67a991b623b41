import { openSigningIn } from '#shared/access/change-sign-ins';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { createSignInLink } from './create-sign-in-link.ts';
import { endpoint } from './endpoint.ts';

const signingIn = openSigningIn(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveUnadmitted(endpoint, signingIn, ({ credential }, capability) =>
  createSignInLink(credential, capability),
);
