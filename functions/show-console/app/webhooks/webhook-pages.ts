import { WebhookPage } from './webhook.tsx';
import { Webhooks } from './webhooks.tsx';

/** Loaded as one file: whoever lists the endpoints opens one. */
export const webhookPages = { WebhookPage, Webhooks };
