import { toDeliveryView } from '#shared/deliveries/delivery-view';
import {
  openRedelivering,
  redeliverWebhookDelivery,
} from '#shared/deliveries/redeliver-webhook-delivery';
import { serve } from '#shared/endpoints/serve';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openRedelivering, async (request, redelivering) =>
  toDeliveryView(await redeliverWebhookDelivery(request, redelivering)),
);
