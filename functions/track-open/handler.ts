import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { pixelResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { openTracking } from '#shared/sending/tracking';
import { pathSchema } from './schema.ts';
import { trackOpen } from './track-open.ts';

const tracking = openTracking(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const { token } = parseParameters(pathSchema, pathParameters);
  await trackOpen({ token, method, headers, log }, tracking);
  return pixelResponse;
});
