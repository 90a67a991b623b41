import { ServiceError } from '#shared/errors/service-error';
import {
  type HitRecording,
  recordEngagement,
  requireLinkOfHost,
  senderOf,
} from '#shared/sends/record-engagement';
import { clickOf } from '#shared/tracking/engagement';
import { type LinkRequest, recordHit } from '#shared/tracking/hit';
import { readClickToken } from '#shared/tracking/tracking-token';

type ClickAnswer =
  | { readonly kind: 'redirect'; readonly destination: string }
  | { readonly kind: 'ask'; readonly destination: string; readonly organizationName: string };

/**
 * Only the signed token names the destination: no open redirect.
 *
 * The organization is read with the send, strongly consistent, in the call that recording makes anyway, so the
 * operator's decisions apply from the next click on. A paused organization's links don't redirect. If the read fails,
 * people still get where the email promised.
 */
export async function trackClick(
  request: LinkRequest,
  tracking: HitRecording,
): Promise<ClickAnswer> {
  const click = readClickToken(await tracking.keyring(), request.token);
  if (click === undefined) throw new ServiceError('link_not_found');
  const now = tracking.now();
  const mail = tracking.timelines.getWithOrganization(click.feedbackId, now);
  const sender = senderOf(mail, request.log);
  await requireLinkOfHost(request.linkHost, sender);
  const [organization] = await Promise.all([
    sender,
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
