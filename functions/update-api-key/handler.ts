import { toApiKeyView } from '#shared/access/api-key-fields';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { openNothing } from '#shared/endpoints/open-function';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openNothing, async (request, capability) =>
  toApiKeyView(await updateApiKey(request, capability), capability.now()),
);
