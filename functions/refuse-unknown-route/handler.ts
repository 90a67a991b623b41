import { parseEnvironment } from '#shared/config/environment';
import { routesEnvironment } from '#shared/config/routes-environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { refuseUnknownRoute } from './refuse-unknown-route.ts';

const { ROUTES: openPaths } = parseEnvironment(routesEnvironment);

/** HTTP API's `$default` route: what no other route takes. */
export const handler = bodilessEndpoint(async ({ method, path, responseHeaders }) =>
  refuseUnknownRoute({ method, path }, openPaths, responseHeaders),
);
