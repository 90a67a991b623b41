import { describe, expect, it } from 'vitest';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { endpoint } from '../../../functions/list-webhooks/endpoint.ts';
import { listWebhooks } from '../../../functions/list-webhooks/list-webhooks.ts';
import { buildWebhook } from '../../shared/webhooks/webhook-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

describe('listWebhooks', () => {
  it("returns the webhooks of the key's organization", async () => {
    const manager = buildManager();
    const webhooks = [buildWebhook(), buildWebhook()];
    const asked: OrganizationId[] = [];

    const listed = await listWebhooks(manager.credential, {
      ...manager,
      webhooks: fakeWebhookStore({
        list: async (organizationId) => {
          asked.push(organizationId);
          return webhooks;
        },
      }),
    });

    expect(listed).toEqual(webhooks);
    expect(asked).toEqual([manager.organizationId]);
  });

  it('reads nothing when the caller may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      listWebhooks(credential, {
        ...authentication,
        webhooks: fakeWebhookStore(),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});

describe('the response', () => {
  it('shows no secret', () => {
    const data = [buildWebhook(), buildWebhook()].map((webhook) => toWebhookView(webhook, 0));

    expect(JSON.stringify(endpoint.answers[200].body.parse({ data }))).not.toContain('whsec_');
  });
});
