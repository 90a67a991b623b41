import { describe, expect, it } from 'vitest';
import { removeWebhook } from '#shared/webhooks/change-webhooks';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openWebhookAccount, type WebhookAccount } from '../../support/webhook-account.ts';

const remove = ({ caller, webhook: { id }, ...account }: WebhookAccount) =>
  removeWebhook({ caller, path: { id } }, account);

describe('deleteWebhook', () => {
  it('deletes a webhook of the organization, and audits who did and what it was', async () => {
    const account = await openWebhookAccount({ description: 'orders' });
    const { webhook } = account;

    await remove(account);

    expect(await account.storedWebhook()).toBeUndefined();
    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ actor: account.apiKey.id, action: 'webhook.deleted', target: webhook.id },
        before: expect.objectContaining({ description: 'orders' }),
      }),
    ]);
  });

  it("doesn't find a webhook that another request deletes at the same moment", async () => {
    const account = await openWebhookAccount();
    account.beforeNextWrite(() => remove(account));

    const error = await serviceErrorOf(() => remove(account));

    expect(error.code).toBe('webhook_not_found');
    expect(await account.audit()).toHaveLength(1);
  });
});
