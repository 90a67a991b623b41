import { openSigningIn } from '#shared/access/change-sign-ins';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { createSignInLink } from './create-sign-in-link.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(endpoint, openSigningIn, ({ credential }, capability) =>
  createSignInLink(credential, capability),
);
