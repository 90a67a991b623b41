import { recordEngagement } from '#shared/sending/record-engagement';
import type { VisitRecording } from '#shared/sending/visit-recording';
import { clickOf } from '#shared/tracking/engagement';
import { readClickToken } from '#shared/tracking/tracking-token';
import { linkNotFound, recordVisit, type Visit } from '#shared/tracking/visit';

/**
 * Records a click and answers where the link leads. Only the signed token names the destination, so the
 * service redirects to nothing that it did not put into a mail itself.
 *
 * @throws ServiceError `link_not_found`
 */
export async function trackClick(visit: Visit, tracking: VisitRecording): Promise<string> {
  const click = readClickToken(await tracking.keyring(), visit.token);
  if (click === undefined) throw linkNotFound();
  await recordVisit(visit, tracking.now(), (hit) =>
    recordEngagement(clickOf(click), hit, tracking),
  );
  return click.destination;
}
