import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { openTracking } from '#shared/sending/tracking';
import { trackClick } from './track-click.ts';

const tracking = openTracking(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const visit = { token: pathParameters['token'] ?? '', method, headers, log };
  return redirectResponse(await trackClick(visit, tracking));
});
