import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { pageResponse } from '#shared/http/page-response';
import { parseParameters } from '#shared/http/parse-request';
import { heldLinkPage } from '#shared/pages/held-link-page';
import { openVisitRecording } from '#shared/sends/visit-recording';
import { linkHeld } from '#shared/tracking/visit';
import { endpoint } from './endpoint.ts';
import { trackClick } from './track-click.ts';

const tracking = openVisitRecording(parseEnvironment(contactEnvironment));

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log, wantsPage }) => {
  const { token } = parseParameters(endpoint.path, pathParameters);
  const answer = await trackClick({ token, method, headers, log }, tracking);
  if (answer.kind === 'redirect') return redirectResponse(answer.destination);
  // A program must not take the page that asks for the one that the link leads to.
  if (!wantsPage) throw linkHeld(answer.destination);
  return pageResponse(200, heldLinkPage(answer));
});
