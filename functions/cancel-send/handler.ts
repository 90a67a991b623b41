import { serve } from '#shared/endpoints/serve';
import { cancelSend } from '#shared/sending/later/change-plan';
import { openCanceling } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

const canceling = openCanceling();

export const handler = serve(endpoint, canceling, ({ caller, path: { id }, log }) =>
  cancelSend({ id, caller }, canceling, log),
);
