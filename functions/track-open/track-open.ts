import { ServiceError } from '#shared/errors/service-error';
import { recordEngagement, type VisitRecording } from '#shared/sends/record-engagement';
import { openOf } from '#shared/tracking/engagement';
import { readOpenToken } from '#shared/tracking/tracking-token';
import { recordVisit, type Visit } from '#shared/tracking/visit';

export async function trackOpen(visit: Visit, tracking: VisitRecording): Promise<void> {
  const feedbackId = readOpenToken(await tracking.keyring(), visit.token);
  if (feedbackId === undefined) throw new ServiceError('link_not_found');
  await recordVisit(visit, tracking.now(), (hit) =>
    recordEngagement(openOf(feedbackId), hit, tracking),
  );
}
