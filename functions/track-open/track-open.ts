import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { pixelResponse } from '#shared/http/http-response';
import { gifImage } from '#shared/http/response-body';
import {
  type HitRecording,
  hitDeclaration,
  recordEngagement,
  requireLinkOfHost,
  senderOf,
} from '#shared/send-history/record-engagement';
import { getSendOfOrganization } from '#shared/send-history/timeline-store';
import { openOf } from '#shared/tracking/engagement';
import { type LinkRequest, recordHit } from '#shared/tracking/machine-hit';
import { readOpenToken } from '#shared/tracking/tracking-token';

export const endpoint = defineEndpoint(
  {
    ...hitDeclaration,
    route: ['GET /t/o/{token}', 'HEAD /t/o/{token}'],
    path: z.object({ token: z.string() }),
    answers: { 200: { body: gifImage, description: 'A transparent image of one pixel.' } },
    errors: ['link_not_found'],
    words: {
      section: 'Links in emails',
      summary: 'Load the open pixel',
      description:
        'Records the open. `HEAD` answers the same and records nothing. Nothing is recorded for an organization that was deleted or whose links are turned off.',
      fields: { token: 'The signed token of the pixel.' },
      example: { path: { token: 'v1.k1.…' } },
    },
  },
  async ({ path, ...request }, tracking) => {
    await trackOpen({ ...path, ...request }, tracking);
    return pixelResponse;
  },
);

export async function trackOpen(request: LinkRequest, tracking: HitRecording): Promise<void> {
  const feedbackId = readOpenToken(await tracking.keyring(), request.token);
  if (feedbackId === undefined) throw new ServiceError('link_not_found');
  const now = tracking.now();
  const { linkHost } = request;
  const mail =
    linkHost === undefined
      ? undefined
      : getSendOfOrganization(tracking.table, feedbackId, now, { isConsistent: false });
  if (mail !== undefined) await requireLinkOfHost(linkHost, senderOf(mail, request.log));
  await recordHit(request, now, (hit) => recordEngagement(openOf(feedbackId), hit, tracking, mail));
}
