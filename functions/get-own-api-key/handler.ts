import { toApiKeyView } from '#shared/access/api-key-fields';
import { openNothing } from '#shared/endpoints/open-function';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openNothing, async ({ caller }, { now }) =>
  toApiKeyView(caller.apiKey, now()),
);
