import type { FeedbackId } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import type { Hit } from '#shared/tracking/engagement-store';
import { readOpenToken } from '#shared/tracking/tracking-token';
import { linkNotFound, recordVisit, type Visit } from '#shared/tracking/visit';

export type TrackOpenDependencies = {
  readonly now: () => number;
  readonly keyring: () => Promise<Keyring>;
  readonly recordOpen: (feedbackId: FeedbackId, hit: Hit) => Promise<void>;
};

/**
 * Records an open.
 *
 * @throws ServiceError `link_not_found`
 */
export async function trackOpen(
  visit: Visit,
  { now, keyring, recordOpen }: TrackOpenDependencies,
): Promise<void> {
  const feedbackId = readOpenToken(await keyring(), visit.token);
  if (feedbackId === undefined) throw linkNotFound();
  await recordVisit(visit, now(), (hit) => recordOpen(feedbackId, hit));
}
