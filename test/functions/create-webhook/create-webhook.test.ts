import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/errors/field-error';
import type { Organization } from '#shared/organizations/organization';
import { newOrganizationId, newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { registerWebhook } from '#shared/webhooks/change-webhooks';
import { maxWebhooks } from '#shared/webhooks/webhook';
import { listWebhooks, replaceWebhook } from '#shared/webhooks/webhook-store';
import { endpoint } from '../../../functions/create-webhook/create-webhook.ts';
import { openAccount } from '../../support/account.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const url = 'https://receiver.example.com/hooks';
const urlPolicy = { allowLoopbackHttp: false };

async function prepare(given: Partial<Organization> = {}) {
  const account = await openAccount(given);
  const caller = { ...account.caller, ownLimits: account.organization.limits };
  return {
    ...account,
    create: async (body: unknown) =>
      registerWebhook(
        { caller, body: parseFields(endpoint.body, body) },
        { ...account, urlPolicy },
      ),
    listed: () => listWebhooks(account.table, account.organizationId),
  };
}

describe('createWebhook', () => {
  it('stores an enabled webhook with its own secret, on behalf of the key', async () => {
    const { create, listed, organizationId, now, audit, apiKey } = await prepare();

    const webhook = await create({ url, eventTypes: ['email.bounced'] });

    expect(await listed()).toEqual([webhook]);
    expect(organizationIdOf(webhook.id)).toBe(organizationId);
    expect(webhook).toEqual({
      id: webhook.id,
      url,
      eventTypes: ['email.bounced'],
      tags: [],
      templates: [],
      description: '',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      previousSecrets: [],
      createdAt: now(),
      updatedAt: now(),
    });
    expect(await audit()).toEqual([
      expect.objectContaining({
        ...{ actor: apiKey.id, action: 'webhook.created', target: webhook.id },
      }),
    ]);
  });

  it('rejects a filter by another organization’s template, naming its path', async () => {
    const { create, listed } = await prepare();
    const templates = [newTemplateId(newOrganizationId())];

    const error = await serviceErrorOf(() => create({ url, templates }));

    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'templates.0', message: 'no such template' }],
    });
    expect(await listed()).toEqual([]);
  });

  it.each([{ url }, { url, eventTypes: [] }])(
    'subscribes to every type when given %o',
    async (body) => {
      const { create, stored } = await prepare();

      const { id } = await create(body);

      expect((await stored())?.webhooks).toEqual({ [id]: { eventTypes: [] } });
    },
  );

  it('gives no two webhooks the same id or secret', async () => {
    const { create } = await prepare();

    const [one, other] = [await create({ url }), await create({ url })];

    expect(other.id).not.toBe(one.id);
    expect(other.secret).not.toBe(one.secret);
  });

  it.each([
    ['http://receiver.example.com/', 'must begin with https://'],
    ['https://169.254.169.254/', 'must not lead to a private, loopback or reserved address'],
    ['https://user:password@example.com/', 'must not contain credentials'],
  ])('rejects %s, and says why', async (refused, message) => {
    const { create, listed } = await prepare();

    const error = await serviceErrorOf(() => create({ url: refused }));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'url', message }]);
    expect(await listed()).toEqual([]);
  });

  it('refuses one webhook too many, even in concurrent requests', async () => {
    const { create, listed, beforeNextWrite } = await prepare();
    for (let count = 1; count < maxWebhooks; count += 1) await create({ url });
    beforeNextWrite(() => create({ url }));

    const meanwhile = await serviceErrorOf(() => create({ url }));
    const afterwards = await serviceErrorOf(() => create({ url }));

    expect([meanwhile.code, afterwards.code]).toEqual(['too_many_webhooks', 'too_many_webhooks']);
    expect(afterwards.message).toContain(`${maxWebhooks}`);
    expect(await listed()).toHaveLength(maxWebhooks);
  });

  it("refuses more webhooks than the organization's own limit, disabled ones included", async () => {
    const { create, listed, table, now } = await prepare({ limits: { webhooks: 1 } });
    const webhook = await create({ url });
    const disabled = { reason: 'by_owner', at: now() } as const;
    await replaceWebhook(table, webhook, { ...webhook, disabled });

    const error = await serviceErrorOf(() => create({ url }));

    expect(error.code).toBe('too_many_webhooks');
    expect(await listed()).toHaveLength(1);
  });
});

describe('the request', () => {
  it.each([
    ['without a URL', {}],
    ['with a URL that is not text', { url: 1 }],
    ['with a type that is not known', { url, eventTypes: ['email.exploded'] }],
    ['with a type for all types', { url, eventTypes: ['*'] }],
    ['with types that are not a list', { url, eventTypes: 'email.sent' }],
    ['with a tag without its value', { url, tags: ['kind'] }],
    ['with a tag that no send can have', { url, tags: ['kind:a b'] }],
    ['with more tags than fit', { url, tags: Array.from({ length: 11 }, (_, n) => `kind:${n}`) }],
    [
      'with longer tags than fit',
      { url, tags: ['a', 'b', 'c', 'd'].map((n) => `${n}:${'x'.repeat(250)}`) },
    ],
    ['with a template that is no id', { url, templates: ['welcome'] }],
    ['with a description too long', { url, description: 'x'.repeat(501) }],
    ['with a misspelt field, which would subscribe to everything', { url, events: ['email.sent'] }],
  ])('%s is rejected', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
