import { openNothing } from '#shared/endpoints/open-function';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';
import { listApiKeys } from './list-api-keys.ts';

export const handler = serve(endpoint, openNothing, listApiKeys);
