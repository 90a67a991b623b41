import { describe, expect, it } from 'vitest';
import { newOrganizationId, newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { findWebhook, requireEnabled } from '#shared/webhooks/find-webhook';
import { disabledReasons } from '#shared/webhooks/webhook';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';
import { buildWebhook, webhookNow } from './webhook-builder.ts';

describe('findWebhook', () => {
  it('returns a webhook of the organization', async () => {
    const webhook = buildWebhook();

    const webhooks = fakeWebhookStore({ get: async () => webhook });
    const found = await findWebhook(webhook.id, organizationIdOf(webhook.id), webhooks);

    expect(found).toBe(webhook);
  });

  it.each([undefined, newWebhookId(newOrganizationId())])(
    'reads nothing for %j, which is no webhook id of the organization',
    async (id) => {
      const error = await serviceErrorOf(() =>
        findWebhook(id, newOrganizationId(), fakeWebhookStore()),
      );

      expect(error.code).toBe('webhook_not_found');
    },
  );

  it('does not find a webhook that was deleted', async () => {
    const organizationId = newOrganizationId();

    const webhooks = fakeWebhookStore({ get: async () => undefined });
    const error = await serviceErrorOf(() =>
      findWebhook(newWebhookId(organizationId), organizationId, webhooks),
    );

    expect(error.code).toBe('webhook_not_found');
  });
});

describe('requireEnabled', () => {
  it('lets an enabled webhook pass', () => {
    expect(() => requireEnabled(buildWebhook())).not.toThrow();
  });

  it.each(disabledReasons)('refuses a webhook that is disabled: %s', async (reason) => {
    const webhook = buildWebhook({ disabled: { reason, at: webhookNow } });

    expect((await serviceErrorOf(() => requireEnabled(webhook))).code).toBe('webhook_disabled');
  });
});
