import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { pixelResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { openVisitRecording } from '#shared/sends/visit-recording';
import { endpoint } from './endpoint.ts';
import { trackOpen } from './track-open.ts';

const tracking = openVisitRecording(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const { token } = parseParameters(endpoint.path, pathParameters);
  await trackOpen({ token, method, headers, log }, tracking);
  return pixelResponse;
});
