import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { newWebhookId } from '#shared/tokens/resource-id';
import { deleteWebhook } from '#shared/webhooks/change-webhooks';
import { buildWebhook } from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

function prepare(outcome: 'deleted' | 'unknown') {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId) });
  const deleted: (readonly [string, AuditEntry])[] = [];
  const webhooks = fakeWebhookStore({
    get: async () => webhook,
    delete: async (id, entry) => {
      deleted.push([id, entry]);
      return outcome;
    },
  });
  const run = () =>
    deleteWebhook({ ...manager, path: { id: webhook.id } }, { ...manager, webhooks });
  return { run, deleted, manager, webhook };
}

describe('deleteWebhook', () => {
  it('deletes a webhook of the organization, and audits who did and what it was', async () => {
    const { run, deleted, manager, webhook } = prepare('deleted');

    await run();

    const entry = { actor: manager.actor, action: 'webhook.deleted', target: webhook.id };
    const before = { description: webhook.description };
    expect(deleted).toMatchObject([[webhook.id, { ...entry, before }]]);
  });

  it('does not find a webhook that another request deletes at the same moment', async () => {
    const { run } = prepare('unknown');

    expect((await serviceErrorOf(run)).code).toBe('webhook_not_found');
  });
});
