import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { newOrganizationId, newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { auditedWebhook, changeWebhook, findWebhook } from '#shared/webhooks/webhook-management';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';
import { buildSecret, buildWebhook, webhookNow } from './webhook-builder.ts';

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

type Outcome = 'stored' | 'changed_meanwhile' | 'too_many';

/** Changes the description of a webhook that is read in these versions, one after the other. */
function prepareChange(versions: readonly Webhook[], outcomes: readonly Outcome[]) {
  const [first] = versions;
  const written: { before: Webhook; after: Webhook }[] = [];
  const entries: (AuditEntry | undefined)[] = [];
  let reads = 0;
  const id = first?.id ?? newWebhookId(newOrganizationId());
  const { actor } = buildManager(organizationIdOf(id));
  const run = () =>
    changeWebhook(
      id,
      { organizationId: organizationIdOf(id), actor },
      'webhook.updated',
      (webhook) => ({ ...webhook, description: `${webhook.description}!` }),
      {
        ...buildManager(),
        webhooks: fakeWebhookStore({
          get: async () => {
            reads += 1;
            return versions[reads - 1];
          },
          replace: async (before, after, alongside) => {
            written.push({ before, after });
            entries.push(alongside?.entry);
            return outcomes[written.length - 1] ?? 'stored';
          },
        }),
      },
    );
  return { run, written, entries, actor };
}

describe('changeWebhook', () => {
  it('tells the audit who changed what, and what was and is', async () => {
    const { run, entries, actor } = prepareChange([buildWebhook({ description: 'a' })], ['stored']);

    const { id } = await run();

    expect(entries).toMatchObject([
      {
        ...{ at: webhookNow, actor, action: 'webhook.updated', target: id },
        before: { description: 'a' },
        after: { description: 'a!' },
      },
    ]);
    expect(entries[0]?.before).toEqual({ description: 'a' });
  });

  it('replaces the version that it read, and returns the new one', async () => {
    const before = buildWebhook({ description: 'orders', updatedAt: webhookNow - 1_000 });
    const { run, written } = prepareChange([before], ['stored']);

    const changed = await run();

    expect(changed).toEqual({ ...before, description: 'orders!', updatedAt: webhookNow });
    expect(written).toEqual([{ before, after: changed }]);
  });

  it('makes the change once more when another request changed the webhook at the same moment', async () => {
    const before = buildWebhook({ description: 'orders' });
    const theirs = { ...before, description: 'invoices', updatedAt: before.updatedAt + 5 };
    const { run } = prepareChange([before, theirs], ['changed_meanwhile', 'stored']);

    expect(await run()).toMatchObject({ description: 'invoices!' });
  });

  it('gives up when other requests changed the webhook twice', async () => {
    const webhook = buildWebhook();
    const { run, written } = prepareChange(
      [webhook, webhook, webhook],
      ['changed_meanwhile', 'changed_meanwhile', 'stored'],
    );

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
    expect(written).toHaveLength(2);
  });

  it('does not find a webhook that was deleted at the same moment', async () => {
    const { run } = prepareChange([buildWebhook()], ['changed_meanwhile']);

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
  });

  it('refuses to enable a webhook when there are too many', async () => {
    const { run, written } = prepareChange([buildWebhook()], ['too_many']);

    expect((await serviceErrorOf(run)).code).toBe('too_many_webhooks');
    expect(written).toHaveLength(1);
  });

  it('never gives two versions the same moment, even when clocks differ', async () => {
    const before = buildWebhook({ updatedAt: webhookNow + 60_000 });
    const { run } = prepareChange([before], ['stored']);

    expect((await run()).updatedAt).toBe(webhookNow + 60_001);
  });
});

const shownUrl = (url: string) => auditedWebhook(buildWebhook({ url })).url;

describe('what the audit tells of a webhook', () => {
  it('has neither the secret nor the earlier ones', () => {
    const secrets = [buildSecret('a'), buildSecret('b')] as const;
    const previousSecrets = [{ secret: secrets[1], expiresAt: webhookNow }];

    const told = auditedWebhook(buildWebhook({ secret: secrets[0], previousSecrets }));

    expect(told.previousSecretsExpireAt).toBe(webhookNow);
    for (const secret of secrets) expect(JSON.stringify(told)).not.toContain(secret);
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
