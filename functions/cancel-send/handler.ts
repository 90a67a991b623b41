import { serve } from '#shared/endpoints/serve';
import { cancelSend } from '#shared/sending/later/change-plan';
import { openCanceling } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openCanceling, ({ caller, path: { id }, log }, canceling) =>
  cancelSend({ id, caller }, canceling, log),
);
