import { updateApiKey } from '#shared/access/manage-api-keys';
import { openNothing } from '#shared/endpoints/open-function';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openNothing, async (request, changing) => {
  const { id } = await updateApiKey(request, changing);
  return { object: 'api_key' as const, id };
});
