import { serve } from '#shared/endpoints/serve';
import { openKeyFreeingStore } from '#shared/sending/key-freeing-store';
import { endpoint } from './endpoint.ts';
import { freeIdempotencyKey } from './free-idempotency-key.ts';

export const handler = serve(endpoint, { keys: openKeyFreeingStore }, freeIdempotencyKey);
