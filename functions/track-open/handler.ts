import { servePage } from '#shared/endpoints/serve-page';
import { pixelResponse } from '#shared/http/http-response';
import { openHitRecording } from '#shared/sends/record-engagement';
import { endpoint } from './endpoint.ts';
import { trackOpen } from './track-open.ts';

export const handler = servePage(
  endpoint,
  openHitRecording,
  async ({ path, ...request }, tracking) => {
    await trackOpen({ ...path, ...request }, tracking);
    return pixelResponse;
  },
);
