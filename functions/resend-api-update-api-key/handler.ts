import { updateApiKey } from '#shared/access/manage-api-keys';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  () => ({}),
  async (request, changing) => {
    const { id } = await updateApiKey(request, changing);
    return { object: 'api_key' as const, id };
  },
);
