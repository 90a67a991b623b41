import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { redirectResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { heldLinkPage } from '#shared/pages/held-link-page';
import {
  type HitRecording,
  hitDeclaration,
  recordEngagement,
  requireLinkOfHost,
  senderOf,
} from '#shared/send-history/record-engagement';
import { getSendOfOrganization } from '#shared/send-history/timeline-store';
import { clickOf } from '#shared/tracking/engagement';
import { type LinkRequest, recordHit } from '#shared/tracking/machine-hit';
import { readClickToken } from '#shared/tracking/tracking-token';

type ClickAnswer =
  | { readonly kind: 'redirect'; readonly destination: string }
  | { readonly kind: 'ask'; readonly destination: string; readonly organizationName: string };

export const endpoint = defineEndpoint(
  {
    ...hitDeclaration,
    lambda: {
      ...hitDeclaration.lambda,
      tableActions: [...hitDeclaration.lambda.tableActions, 'ConditionCheckItem', 'GetItem'],
    },
    route: ['GET /t/c/{token}', 'HEAD /t/c/{token}'],
    path: z.object({ token: z.string() }),
    answers: {
      200: {
        body: htmlPage,
        description: 'The page that asks first, while the organization is paused.',
      },
      302: { description: 'A redirect to the destination of the link.', headers: ['Location'] },
    },
    errors: ['link_not_found', 'link_withdrawn', 'link_held'],
    words: {
      section: 'Links in emails',
      summary: 'Follow a tracked link',
      description: `Records the click and redirects to the destination of the link. \`HEAD\` answers the same and records nothing. A forged or altered token leads nowhere.

While the organization is paused, a person gets a page that names the destination and asks before going on, and a program gets the error \`link_held\`. Once the organization is deleted, or the operator has turned its links off, the link leads nowhere.`,
      fields: { token: 'The signed token of the link.' },
      example: { path: { token: 'v1.k1.…' } },
    },
  },
  async ({ path, wantsPage, ...request }, tracking) => {
    const answer = await trackClick({ ...path, ...request }, tracking);
    if (answer.kind === 'redirect') return redirectResponse(answer.destination);
    if (wantsPage) return pageResponse(200, heldLinkPage(answer));
    // A program mustn't mistake the page that asks for the link's destination.
    throw new ServiceError(
      'link_held',
      `The sender of this email is paused, so its links do not redirect. This one leads to ${answer.destination}`,
    );
  },
);

/**
 * Only the signed token names the destination, and only http(s) links are ever signed (`destinationOf` in
 * `tracking/rewrite-html.ts`): no open redirect.
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
  const mail = getSendOfOrganization(tracking.table, click.feedbackId, now);
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
