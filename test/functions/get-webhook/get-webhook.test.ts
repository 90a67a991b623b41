import { describe, expect, it } from 'vitest';
import { newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { getWebhook } from '../../../functions/get-webhook/get-webhook.ts';
import { buildWebhook } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

/** Reads a webhook with a key of one organization; the table holds one webhook. */
function read(id: WebhookId, webhook: Webhook, manager = buildManager()) {
  return getWebhook(manager.credential, id, {
    ...manager,
    webhooks: fakeWebhookStore({
      get: async (wanted) => (wanted === webhook.id ? webhook : undefined),
    }),
  });
}

describe('getWebhook', () => {
  it('returns a webhook of the organization', async () => {
    const manager = buildManager();
    const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });

    expect(await read(webhook.id, webhook, manager)).toBe(webhook);
  });

  it("does not find another organization's webhook", async () => {
    const foreign = buildWebhook();

    const error = await serviceErrorOf(() => read(foreign.id, foreign));

    expect(error.code).toBe('webhook_not_found');
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      getWebhook(credential, buildWebhook().id, {
        ...authentication,
        webhooks: fakeWebhookStore(),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
