import { describe, expect, it } from 'vitest';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { getWebhook } from '../../../functions/get-webhook/get-webhook.ts';
import { buildWebhook } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** Reads, with a key of one organization, in a world of one endpoint. */
function read(id: string, webhook: Webhook, manager = buildManager()) {
  return getWebhook(manager.credential, id, {
    ...manager,
    getWebhook: async (wanted) => (wanted === webhook.id ? webhook : undefined),
  });
}

describe('getWebhook', () => {
  it('answers an endpoint of the organization', async () => {
    const manager = buildManager();
    const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });

    expect(await read(webhook.id, webhook, manager)).toBe(webhook);
  });

  it("knows no other organization's endpoint", async () => {
    const foreign = buildWebhook();

    const error = await serviceErrorOf(() => read(foreign.id, foreign));

    expect(error.code).toBe('webhook_not_found');
  });

  it('reads nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      getWebhook(credential, buildWebhook().id, {
        ...authentication,
        getWebhook: () => Promise.reject(new Error('read')),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
