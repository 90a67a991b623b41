import { revokeApiKey } from '#shared/access/manage-api-keys';
import { openNothing } from '#shared/endpoints/open-function';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openNothing, async (request, revoking) => {
  await revokeApiKey(request, revoking);
  return deleted('api_key', request.path.id);
});
