import { revokeApiKey } from '#shared/access/manage-api-keys';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, () => ({}), revokeApiKey);
