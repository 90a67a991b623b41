import { serve } from '#shared/endpoints/serve';
import { toDeliveryView } from '#shared/webhook-deliveries/delivery-view';
import {
  openRedelivering,
  redeliverWebhookDelivery,
} from '#shared/webhook-deliveries/redeliver-webhook-delivery';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openRedelivering, async (request, redelivering) =>
  toDeliveryView(await redeliverWebhookDelivery(request, redelivering)),
);
