import { describe, expect, it } from 'vitest';
import { newOrganizationId, newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { findWebhook } from '#shared/webhooks/webhook-management';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';
import { buildWebhook } from './webhook-builder.ts';

describe('findWebhook', () => {
  it('returns a webhook of the organization', async () => {
    const webhook = buildWebhook();

    const webhooks = fakeWebhookStore({ get: async () => webhook });
    const found = await findWebhook(webhook.id, organizationIdOf(webhook.id), webhooks);

    expect(found).toBe(webhook);
  });

  it("reads nothing for another organization's webhook", async () => {
    const error = await serviceErrorOf(() =>
      findWebhook(newWebhookId(newOrganizationId()), newOrganizationId(), fakeWebhookStore()),
    );

    expect(error.code).toBe('webhook_not_found');
  });

  it('does not find a webhook that was deleted', async () => {
    const organizationId = newOrganizationId();

    const webhooks = fakeWebhookStore({ get: async () => undefined });
    const error = await serviceErrorOf(() =>
      findWebhook(newWebhookId(organizationId), organizationId, webhooks),
    );

    expect(error.code).toBe('webhook_not_found');
  });
});
