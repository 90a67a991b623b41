import { ServiceError } from '#shared/errors/service-error';
import {
  type HitRecording,
  recordEngagement,
  requireLinkOfHost,
  senderOf,
} from '#shared/sends/record-engagement';
import { openOf } from '#shared/tracking/engagement';
import { type LinkRequest, recordHit } from '#shared/tracking/hit';
import { readOpenToken } from '#shared/tracking/tracking-token';

export async function trackOpen(request: LinkRequest, tracking: HitRecording): Promise<void> {
  const feedbackId = readOpenToken(await tracking.keyring(), request.token);
  if (feedbackId === undefined) throw new ServiceError('link_not_found');
  const now = tracking.now();
  const { linkHost } = request;
  const mail =
    linkHost === undefined
      ? undefined
      : tracking.timelines.getWithOrganization(feedbackId, now, { isConsistent: false });
  if (mail) await requireLinkOfHost(linkHost, senderOf(mail, request.log));
  await recordHit(request, now, (hit) => recordEngagement(openOf(feedbackId), hit, tracking, mail));
}
