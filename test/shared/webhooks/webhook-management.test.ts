import { describe, expect, it } from 'vitest';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { maxWebhooks, type Webhook } from '#shared/webhooks/webhook';
import { auditedWebhook, changeWebhook, findWebhook } from '#shared/webhooks/webhook-management';
import { createWebhook, deleteWebhook, replaceWebhook } from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openWebhookAccount, type WebhookAccount } from '../../support/webhook-account.ts';
import { buildSecret, buildWebhook, webhookNow } from './webhook-builder.ts';

describe('findWebhook', () => {
  it('returns a webhook of the organization', async () => {
    const { table, webhook, organizationId } = await openWebhookAccount();

    expect(await findWebhook(table, webhook.id, organizationId)).toEqual(webhook);
  });

  it("doesn't return another organization's webhook", async () => {
    const { table, webhook } = await openWebhookAccount();

    const error = await serviceErrorOf(() => findWebhook(table, webhook.id, newOrganizationId()));

    expect(error.code).toBe('webhook_not_found');
  });

  it("doesn't find a webhook that was deleted", async () => {
    const { table, webhook, organizationId } = await openWebhookAccount();
    await deleteWebhook(table, webhook.id, anyEntry());

    const error = await serviceErrorOf(() => findWebhook(table, webhook.id, organizationId));

    expect(error.code).toBe('webhook_not_found');
  });
});

const exclaim = (webhook: Webhook) => ({ ...webhook, description: `${webhook.description}!` });

const change = ({ webhook, caller, ...service }: WebhookAccount, to = exclaim) =>
  changeWebhook(webhook.id, caller, 'webhook.updated', to, service);

/** Another request changes its description. */
const describeAs = (account: WebhookAccount, description: string) =>
  change(account, (webhook) => ({ ...webhook, description }));

describe('changeWebhook', () => {
  it('tells the audit who changed what, and what was and is', async () => {
    const account = await openWebhookAccount({ description: 'a' });

    const { id } = await change(account);

    expect(await account.audit()).toEqual([
      expect.objectContaining({
        ...{ at: webhookNow, actor: account.apiKey.id, action: 'webhook.updated', target: id },
        ...{ before: { description: 'a' }, after: { description: 'a!' } },
      }),
    ]);
  });

  it('stores the new version, and returns it', async () => {
    const account = await openWebhookAccount({
      description: 'orders',
      updatedAt: webhookNow - 1_000,
    });

    const changed = await change(account);

    expect(changed).toEqual({
      ...account.webhook,
      description: 'orders!',
      updatedAt: webhookNow,
    });
    expect(await account.storedWebhook()).toEqual(changed);
  });

  it('is applied again on top when another request changes the webhook at the same moment', async () => {
    const account = await openWebhookAccount({ description: 'orders' });
    account.beforeNextWrite(() => describeAs(account, 'invoices'));

    await change(account);

    expect(await account.storedWebhook()).toMatchObject({ description: 'invoices!' });
  });

  it('gives up when other requests change the webhook twice', async () => {
    const account = await openWebhookAccount({ description: 'orders' });
    account.beforeNextWrite(
      () => describeAs(account, 'invoices'),
      () => describeAs(account, 'receipts'),
    );

    const error = await serviceErrorOf(() => change(account));

    expect(error.code).toBe('concurrent_change');
    expect(await account.storedWebhook()).toMatchObject({ description: 'receipts' });
  });

  it("doesn't find a webhook that is deleted at the same moment", async () => {
    const account = await openWebhookAccount();
    account.beforeNextWrite(() => deleteWebhook(account.table, account.webhook.id, anyEntry()));

    expect((await serviceErrorOf(() => change(account))).code).toBe('webhook_not_found');
  });

  it('refuses to enable a webhook when there are too many', async () => {
    const account = await openWebhookAccount();
    const { table, webhook, organizationId } = account;
    const disabled = { reason: 'by_owner', at: webhookNow } as const;
    await replaceWebhook(table, webhook, { ...webhook, disabled });
    for (let others = 0; others < maxWebhooks; others += 1) {
      await createWebhook(table, buildWebhook({ id: newWebhookId(organizationId) }), anyEntry());
    }

    const enable = ({ disabled: _, ...enabled }: Webhook): Webhook => enabled;
    const error = await serviceErrorOf(() =>
      changeWebhook(webhook.id, account.caller, 'webhook.updated', enable, account),
    );

    expect(error.code).toBe('too_many_webhooks');
    expect(await account.storedWebhook()).toMatchObject({ disabled });
  });

  it('never gives two versions the same moment, even when clocks differ', async () => {
    const account = await openWebhookAccount({ updatedAt: webhookNow + 60_000 });

    expect((await change(account)).updatedAt).toBe(webhookNow + 60_001);
  });
});

const shownUrl = (url: string) => auditedWebhook(buildWebhook({ url })).url;

describe('what the audit tells of a webhook', () => {
  it('has neither the secret nor the earlier ones', () => {
    const secrets = [buildSecret('a'), buildSecret('b')] as const;
    const previousSecrets = [{ secret: secrets[1], expiresAt: webhookNow }];

    const audited = auditedWebhook(buildWebhook({ secret: secrets[0], previousSecrets }));

    expect(audited.previousSecretsExpireAt).toBe(webhookNow);
    for (const secret of secrets) expect(JSON.stringify(audited)).not.toContain(secret);
  });

  it.each([
    'https://hooks.example.com/services/T0/B0/tOkEn',
    'https://hooks.example.com/?to=ann@example.com',
    'https://hooks.example.com:8443/tOkEn',
  ])('shows the origin of %s and nothing that may be a token or an address', (url) => {
    const shown = shownUrl(url);

    expect(shown.startsWith(new URL(url).origin)).toBe(true);
    expect(shown).not.toMatch(/tOkEn|ann|services/);
  });

  it('shows that a path has changed', () => {
    expect(shownUrl('https://hooks.example.com/a')).not.toBe(
      shownUrl('https://hooks.example.com/b'),
    );
    expect(shownUrl('https://hooks.example.com/')).toBe('https://hooks.example.com');
  });
});
