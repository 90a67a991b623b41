import { toApiKeyWithText } from '#shared/access/api-key-fields';
import { openNothing } from '#shared/endpoints/open-function';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export const handler = serve(endpoint, openNothing, async (request, capability) =>
  toApiKeyWithText(await rotateApiKey(request, capability), capability.now()),
);
