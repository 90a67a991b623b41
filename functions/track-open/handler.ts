import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { pixelResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { openTracking } from '#shared/sending/tracking';
import { trackOpen } from './track-open.ts';

const tracking = openTracking(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  await trackOpen({ token: pathParameters['token'] ?? '', method, headers, log }, tracking);
  return pixelResponse;
});
