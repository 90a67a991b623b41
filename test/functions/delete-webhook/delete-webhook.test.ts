import { describe, expect, it } from 'vitest';
import { newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { deleteWebhook } from '../../../functions/delete-webhook/delete-webhook.ts';
import { buildWebhook } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

function prepare(
  webhook: Webhook,
  manager = buildManager(),
  outcome: 'deleted' | 'unknown' = 'deleted',
) {
  const deleted: WebhookId[] = [];
  const run = () =>
    deleteWebhook(manager.credential, webhook.id, {
      ...manager,
      webhooks: fakeWebhookStore({
        get: async () => webhook,
        delete: async (id) => {
          deleted.push(id);
          return outcome;
        },
      }),
    });
  return { run, deleted };
}

describe('deleteWebhook', () => {
  it('deletes a webhook of the organization', async () => {
    const manager = buildManager();
    const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });
    const { run, deleted } = prepare(webhook, manager);

    await run();

    expect(deleted).toEqual([webhook.id]);
  });

  it('does not find a webhook that another request deletes at the same moment', async () => {
    const manager = buildManager();
    const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });
    const { run } = prepare(webhook, manager, 'unknown');

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
  });

  it("leaves another organization's webhook alone", async () => {
    const { run, deleted } = prepare(buildWebhook());

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
    expect(deleted).toEqual([]);
  });

  it('deletes nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      deleteWebhook(credential, buildWebhook().id, {
        ...authentication,
        webhooks: fakeWebhookStore(),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
