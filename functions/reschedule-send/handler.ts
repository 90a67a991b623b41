import { serve } from '#shared/endpoints/serve';
import { moveSend } from '#shared/sending/later/change-plan';
import { openMoving } from '#shared/sending/later/plan-changing';
import { endpoint } from './endpoint.ts';

const moving = openMoving();

export const handler = serve(endpoint, moving, ({ caller, path: { id }, body: { sendAt } }) =>
  moveSend({ id, caller }, sendAt, moving),
);
