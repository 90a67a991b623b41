import { contactEnvironment, parseEnvironment } from '#shared/config/environment';
import { redirectResponse } from '#shared/http/http-response';
import { pageEndpoint } from '#shared/http/page-endpoint';
import { recordEngagement } from '#shared/sending/record-engagement';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTimelineStore } from '#shared/sending/timeline-store';
import { openTable } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring';
import { clickOf, openEngagementStore } from '#shared/tracking/engagement-store';
import { createQueueWaker } from '#shared/webhooks/sqs-delivery-queue';
import { type TrackClickDependencies, trackClick } from './track-click.ts';

const environment = parseEnvironment(contactEnvironment);
const table = openTable(environment.TABLE_NAME);
const recording = {
  timelines: openTimelineStore(table),
  settlements: openSettlementStore(table),
  engagements: openEngagementStore(table),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

const dependencies: TrackClickDependencies = {
  now: Date.now,
  keyring: keyringReader(environment.TOKEN_SIGNING_SECRET_ID),
  recordClick: (click, hit) => recordEngagement(clickOf(click), hit, recording),
};

export const handler = pageEndpoint(async ({ pathParameters, method, headers, log }) => {
  const visit = { token: pathParameters['token'] ?? '', method, headers, log };
  return redirectResponse(await trackClick(visit, dependencies));
});
