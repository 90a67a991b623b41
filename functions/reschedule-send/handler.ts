import { serve } from '#shared/endpoints/serve';
import { moveSend } from '#shared/sending/later/change-plan';
import { openMoving } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  openMoving,
  ({ caller, path: { id }, body: { sendAt } }, moving) => moveSend({ id, caller }, sendAt, moving),
);
