import type * as z from 'zod/mini';
import type { deliveryEnvironment } from '#shared/config/webhook-environment';
import type { Table } from '#shared/table/table-client';
import type { AttemptDependencies } from './attempt-delivery.ts';
import { claimDelivery, settleDelivery } from './delivery-store.ts';
import { changeTimeOf } from './webhook.ts';
import { createWebhookPoster } from './webhook-poster.ts';
import {
  getWebhook,
  noteFailure,
  noteSlowness,
  noteSuccess,
  replaceWebhook,
} from './webhook-store.ts';

/** Wires an attempt to the table and to the network, for the functions that deliver. */
export function createAttemptDependencies(
  table: Table,
  environment: z.output<typeof deliveryEnvironment>,
): AttemptDependencies {
  return {
    now: Date.now,
    random: Math.random,
    maxAttempts: environment.WEBHOOK_MAX_ATTEMPTS,
    claim: (...claim) => claimDelivery(table, ...claim),
    getWebhook: (id) => getWebhook(table, id),
    post: createWebhookPoster(
      { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
      environment.WEBHOOK_TIMEOUT_MS,
    ),
    settle: (...settlement) => settleDelivery(table, ...settlement),
    noteSuccess: (id) => noteSuccess(table, id),
    noteSlowness: (id, until) => noteSlowness(table, id, until),
    noteFailure: (id, now) => noteFailure(table, id, now),
    // An owner who changes the endpoint at this moment knows better: the change wins.
    disable: async (webhook, reason, now) => {
      await replaceWebhook(table, webhook, {
        ...webhook,
        disabled: { reason, at: now },
        updatedAt: changeTimeOf(webhook, now),
      });
    },
  };
}
