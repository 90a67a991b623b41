import { toApiKeyView } from '#shared/access/api-key-fields';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  () => ({}),
  async (request, capability) =>
    toApiKeyView(await updateApiKey(request, capability), capability.now()),
);
