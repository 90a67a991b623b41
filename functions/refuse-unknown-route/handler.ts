import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { openPaths } from '../routes.ts';
import { refuseUnknownRoute } from './refuse-unknown-route.ts';

/** HTTP API's `$default` route: what no other route takes. */
export const handler = bodilessEndpoint(async ({ method, path, responseHeaders }) =>
  refuseUnknownRoute({ method, path }, openPaths, responseHeaders),
);
