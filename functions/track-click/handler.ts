import { servePage } from '#shared/endpoints/serve-page';
import { ServiceError } from '#shared/errors/service-error';
import { redirectResponse } from '#shared/http/http-response';
import { pageResponse } from '#shared/http/page-response';
import { heldLinkPage } from '#shared/pages/held-link-page';
import { openHitRecording } from '#shared/sends/record-engagement';
import { endpoint } from './endpoint.ts';
import { trackClick } from './track-click.ts';

export const handler = servePage(
  endpoint,
  openHitRecording,
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
