import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/errors/field-error';
import { newOrganizationId, newTemplateId, organizationIdOf } from '#shared/tokens/resource-id';
import { createWebhook } from '#shared/webhooks/change-webhooks';
import type { Webhook } from '#shared/webhooks/webhook';
import { endpoint } from '../../../functions/create-webhook/create-webhook.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeWebhookStore } from '../../support/webhook-stores.ts';

const url = 'https://receiver.example.com/hooks';
const urlPolicy = { allowLoopbackHttp: false };

function prepare(body: unknown, outcome: 'stored' | 'too_many' = 'stored') {
  const manager = buildManager();
  const stored: Webhook[] = [];
  const webhooks = fakeWebhookStore({
    putNew: async (webhook) => {
      stored.push(webhook);
      return outcome;
    },
  });
  const run = async () =>
    createWebhook(
      { ...manager, body: parseFields(endpoint.body, body) },
      { ...manager, webhooks, urlPolicy },
    );
  return { run, stored, manager };
}

describe('createWebhook', () => {
  it('stores an enabled webhook with its own secret', async () => {
    const { run, stored, manager } = prepare({ url, eventTypes: ['email.bounced'] });

    const webhook = await run();

    expect(stored).toEqual([webhook]);
    expect(organizationIdOf(webhook.id)).toBe(manager.organizationId);
    expect(webhook).toEqual({
      id: webhook.id,
      url,
      eventTypes: ['email.bounced'],
      tags: [],
      templates: [],
      description: '',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      previousSecrets: [],
      createdAt: webhookNow,
      updatedAt: webhookNow,
    });
  });

  it('rejects a filter by another organization’s template, naming its path', async () => {
    const templates = [newTemplateId(newOrganizationId())];
    const error = await serviceErrorOf(prepare({ url, templates }).run);

    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'templates.0', message: 'no such template' }],
    });
  });

  it.each([{ url }, { url, eventTypes: [] }])(
    'subscribes to every type when given %o',
    async (body) => {
      expect((await prepare(body).run()).eventTypes).toEqual([]);
    },
  );

  it('gives no two webhooks the same id or secret', async () => {
    const [one, other] = [await prepare({ url }).run(), await prepare({ url }).run()];

    expect(other.id).not.toBe(one.id);
    expect(other.secret).not.toBe(one.secret);
  });

  it.each([
    ['http://receiver.example.com/', 'must begin with https://'],
    ['https://169.254.169.254/', 'must not lead to a private, loopback or reserved address'],
    ['https://user:password@example.com/', 'must not contain credentials'],
  ])('rejects %s, and says why', async (refused, message) => {
    const { run, stored } = prepare({ url: refused });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([{ path: 'url', message }]);
    expect(stored).toEqual([]);
  });

  it('refuses one webhook too many', async () => {
    const error = await serviceErrorOf(prepare({ url }, 'too_many').run);

    expect(error.code).toBe('too_many_webhooks');
    expect(error.message).toContain('20');
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
