import { ServiceError } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import type { Organization } from '#shared/organizations/organization';
import { type HitRecording, recordEngagement } from '#shared/sends/record-engagement';
import type { LinkedMail } from '#shared/sends/timeline-store';
import { clickOf } from '#shared/tracking/engagement';
import { type LinkRequest, recordHit } from '#shared/tracking/hit';
import { readClickToken } from '#shared/tracking/tracking-token';

/** Where a link leads, and whether the person is asked first. */
export type ClickAnswer =
  | { readonly kind: 'redirect'; readonly destination: string }
  | { readonly kind: 'ask'; readonly destination: string; readonly organizationName: string };

/**
 * Records a click and returns where the link leads. Only the signed token names the destination, so the service never
 * redirects to a place that it did not put into an email itself.
 *
 * The organization is read with the send, strongly consistent, in the one call that recording makes anyway: what the
 * operator decides about it applies from the next click on. A paused organization's links don't redirect. If the read
 * fails, people still get where the email promised.
 */
export async function trackClick(
  request: LinkRequest,
  tracking: HitRecording,
): Promise<ClickAnswer> {
  const click = readClickToken(await tracking.keyring(), request.token);
  if (click === undefined) throw new ServiceError('link_not_found');
  const now = tracking.now();
  const mail = tracking.timelines.getLinked(click.feedbackId, now);
  const [organization] = await Promise.all([
    senderOf(mail, request.log),
    recordHit(request, now, (hit) => recordEngagement(clickOf(click), hit, tracking, mail)),
  ]);
  const { destination } = click;
  if (organization === 'unread') return { kind: 'redirect', destination };
  if (organization === undefined || organization.linksDisabled)
    throw new ServiceError('link_withdrawn');
  return organization.paused
    ? { kind: 'ask', destination, organizationName: organization.name }
    : { kind: 'redirect', destination };
}

async function senderOf(
  mail: Promise<LinkedMail>,
  log: RequestLog,
): Promise<Organization | 'unread' | undefined> {
  try {
    return (await mail).organization;
  } catch (error) {
    log.error('link not judged', error);
    return 'unread';
  }
}
