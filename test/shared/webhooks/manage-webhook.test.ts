import { describe, expect, it } from 'vitest';
import { newOrganizationId, newWebhookId, organizationIdOf } from '#shared/tokens/resource-id';
import { changeWebhook, findWebhook, requireEnabled } from '#shared/webhooks/manage-webhook';
import { disabledReasons, type Webhook } from '#shared/webhooks/webhook';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildWebhook, webhookNow } from './webhook-builder.ts';

type Outcome = 'stored' | 'changed_meanwhile' | 'too_many';

/** Changes the description, in a world where the endpoint reads as these, one after the other. */
function prepareChange(versions: readonly Webhook[], outcomes: readonly Outcome[]) {
  const [first] = versions;
  const written: { before: Webhook; after: Webhook }[] = [];
  let reads = 0;
  const run = () =>
    changeWebhook(
      first?.id ?? '',
      organizationIdOf(first?.id ?? newWebhookId(newOrganizationId())),
      (webhook) => ({ ...webhook, description: `${webhook.description}!` }),
      {
        now: () => webhookNow,
        getWebhook: async () => {
          reads += 1;
          return versions[reads - 1];
        },
        replaceWebhook: async (before, after) => {
          written.push({ before, after });
          return outcomes[written.length - 1] ?? 'stored';
        },
      },
    );
  return { run, written };
}

describe('findWebhook', () => {
  it('answers an endpoint of the organization', async () => {
    const webhook = buildWebhook();

    const found = await findWebhook(webhook.id, organizationIdOf(webhook.id), {
      getWebhook: async () => webhook,
    });

    expect(found).toBe(webhook);
  });

  it.each(['', 'nonsense', 'whk_', '__proto__', 'deliveries', newWebhookId(newOrganizationId())])(
    'reads nothing for %j, which is no id of the organization',
    async (id) => {
      const error = await serviceErrorOf(() =>
        findWebhook(id, newOrganizationId(), {
          getWebhook: () => Promise.reject(new Error('read')),
        }),
      );

      expect(error.code).toBe('webhook_not_found');
    },
  );

  it('does not know an endpoint that is gone', async () => {
    const organizationId = newOrganizationId();

    const error = await serviceErrorOf(() =>
      findWebhook(newWebhookId(organizationId), organizationId, {
        getWebhook: async () => undefined,
      }),
    );

    expect(error.code).toBe('webhook_not_found');
  });
});

describe('changeWebhook', () => {
  it('stores the change in place of what it was made to, and answers it', async () => {
    const before = buildWebhook({ description: 'orders', updatedAt: webhookNow - 1_000 });
    const { run, written } = prepareChange([before], ['stored']);

    const changed = await run();

    expect(changed).toEqual({ ...before, description: 'orders!', updatedAt: webhookNow });
    expect(written).toEqual([{ before, after: changed }]);
  });

  it('makes the change once more to what somebody else left at the same moment', async () => {
    const before = buildWebhook({ description: 'orders' });
    const theirs = { ...before, description: 'invoices', updatedAt: before.updatedAt + 5 };
    const { run } = prepareChange([before, theirs], ['changed_meanwhile', 'stored']);

    expect(await run()).toMatchObject({ description: 'invoices!' });
  });

  it('gives up when it is changed twice', async () => {
    const webhook = buildWebhook();
    const { run, written } = prepareChange(
      [webhook, webhook, webhook],
      ['changed_meanwhile', 'changed_meanwhile', 'stored'],
    );

    expect((await serviceErrorOf(run)).code).toBe('concurrent_change');
    expect(written).toHaveLength(2);
  });

  it('finds an endpoint that was deleted at the same moment no more', async () => {
    const { run } = prepareChange([buildWebhook()], ['changed_meanwhile']);

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
  });

  it('says that there are too many, when it may not be enabled beside the others', async () => {
    const { run, written } = prepareChange([buildWebhook()], ['too_many']);

    expect((await serviceErrorOf(run)).code).toBe('too_many_webhooks');
    expect(written).toHaveLength(1);
  });

  it('never gives two versions the same moment, whatever the clocks say', async () => {
    const before = buildWebhook({ updatedAt: webhookNow + 60_000 });
    const { run } = prepareChange([before], ['stored']);

    expect((await run()).updatedAt).toBe(webhookNow + 60_001);
  });
});

describe('requireEnabled', () => {
  it('lets an enabled endpoint pass', () => {
    expect(() => requireEnabled(buildWebhook())).not.toThrow();
  });

  it.each(disabledReasons)('refuses an endpoint that is disabled %s', async (reason) => {
    const webhook = buildWebhook({ disabled: { reason, at: webhookNow } });

    expect((await serviceErrorOf(() => requireEnabled(webhook))).code).toBe('webhook_disabled');
  });
});
