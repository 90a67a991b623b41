import { WebhookPage } from './webhook.tsx';
import { Webhooks } from './webhooks.tsx';

/** Small pages that share their parts: loaded as one file they are smaller than as two. */
export const webhookPages = { WebhookPage, Webhooks };
