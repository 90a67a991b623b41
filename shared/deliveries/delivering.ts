import type * as z from 'zod/mini';
import type { deliveryEnvironment } from '#shared/config/environment';
import { openNoticeFiling } from '#shared/notices/notice-filing';
import type { Table } from '#shared/table/table-client';
import { SlowAnswers } from '#shared/webhooks/slow-answers';
import { openWebhookHealthStore } from '#shared/webhooks/webhook-health-store';
import { openWebhookStore } from '#shared/webhooks/webhook-store';
import { openAttemptStore } from './attempt-store.ts';
import { createWebhookPoster } from './webhook-poster.ts';

export const openDelivering = (
  table: Table,
  environment: z.output<typeof deliveryEnvironment>,
) => ({
  now: Date.now,
  random: Math.random,
  maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
  attempts: openAttemptStore(table),
  webhooks: openWebhookStore(table),
  healths: openWebhookHealthStore(table),
  notices: openNoticeFiling(table),
  slowAnswers: new SlowAnswers(),
  post: createWebhookPoster(
    { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
    environment.WEBHOOK_TIMEOUT_MS,
  ),
});
export type Delivering = ReturnType<typeof openDelivering>;
