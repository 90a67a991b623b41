import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { servePage } from '#shared/endpoints/serve-page';
import { pixelResponse } from '#shared/http/http-response';
import { openHitRecording } from '#shared/sends/record-engagement';
import { endpoint } from './endpoint.ts';
import { trackOpen } from './track-open.ts';

const tracking = openHitRecording(parseEnvironment(contactEnvironment));

export const handler = servePage(endpoint, async ({ path, ...request }) => {
  await trackOpen({ ...path, ...request }, tracking);
  return pixelResponse;
});
