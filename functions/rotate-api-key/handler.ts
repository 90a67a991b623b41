import { toApiKeyWithText } from '#shared/access/api-key-fields';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export const handler = serve(
  endpoint,
  () => ({}),
  async (request, capability) =>
    toApiKeyWithText(await rotateApiKey(request, capability), capability.now()),
);
