import type { Keyring } from '#shared/tokens/signed-token';
import type { Hit } from '#shared/tracking/engagement-store';
import { type Click, readClickToken } from '#shared/tracking/tracking-token';
import { linkNotFound, recordVisit, type Visit } from '#shared/tracking/visit';

export type TrackClickDependencies = {
  readonly now: () => number;
  readonly keyring: () => Promise<Keyring>;
  readonly recordClick: (click: Click, hit: Hit) => Promise<void>;
};

/**
 * Records a click; answers where the link leads. The destination comes out of the signed token alone,
 * so the service redirects to nothing that it did not put into a mail itself.
 *
 * @throws ServiceError `link_not_found`
 */
export async function trackClick(
  visit: Visit,
  { now, keyring, recordClick }: TrackClickDependencies,
): Promise<string> {
  const click = readClickToken(await keyring(), visit.token);
  if (click === undefined) throw linkNotFound();
  await recordVisit(visit, now(), (hit) => recordClick(click, hit));
  return click.destination;
}
