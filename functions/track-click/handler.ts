import { parseEnvironment, tokenEnvironment } from '#shared/config/environment';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { recordClick } from '#shared/tracking/engagement-store';
import { type TrackClickDependencies, trackClick } from './track-click.ts';

const environment = parseEnvironment(tokenEnvironment);
const table = openTable(environment.TABLE_NAME);

const dependencies: TrackClickDependencies = {
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  recordClick: (click, hit) => recordClick(table, click, hit),
};

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const visit = { token: pathParameters['token'] ?? '', method, headers, log };
  return redirectResponse(await trackClick(visit, dependencies));
});
