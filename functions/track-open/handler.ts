import { parseEnvironment, tokenEnvironment } from '#shared/config/environment';
import { pixelResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { recordOpen } from '#shared/tracking/engagement-store';
import { type TrackOpenDependencies, trackOpen } from './track-open.ts';

const environment = parseEnvironment(tokenEnvironment);
const table = openTable(environment.TABLE_NAME);

const dependencies: TrackOpenDependencies = {
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  recordOpen: (feedbackId, hit) => recordOpen(table, feedbackId, hit),
};

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  await trackOpen({ token: pathParameters['token'] ?? '', method, headers, log }, dependencies);
  return pixelResponse;
});
