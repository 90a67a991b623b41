import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { openVisitRecording } from '#shared/sending/visit-recording';
import { pathSchema } from './schema.ts';
import { trackClick } from './track-click.ts';

const tracking = openVisitRecording(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const { token } = parseParameters(pathSchema, pathParameters);
  const visit = { token, method, headers, log };
  return redirectResponse(await trackClick(visit, tracking));
});
