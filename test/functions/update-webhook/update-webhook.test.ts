import { describe, expect, it } from 'vitest';
import { parseFields } from '#shared/errors/field-error';
import { updateWebhook } from '#shared/webhooks/change-webhooks';
import type { Webhook } from '#shared/webhooks/webhook';
import { endpoint } from '../../../functions/update-webhook/update-webhook.ts';
import { webhookNow as now } from '../../shared/webhooks/webhook-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

const urlPolicy = { allowLoopbackHttp: false };

/** Changes a webhook of the caller's organization, an hour after its last change. */
async function prepare(body: unknown, overrides: Partial<Webhook> = {}) {
  const account = await openWebhookAccount({ updatedAt: now - 3_600_000, ...overrides });
  const { caller, webhook, storedWebhook } = account;
  const run = async () =>
    updateWebhook(
      { caller, path: { id: webhook.id }, body: parseFields(endpoint.body, body) },
      { ...account, urlPolicy },
    );
  return { run, webhook, storedWebhook };
}

const gone = { reason: 'gone', at: now - 1_000 } as const;
const health = { since: now - 1_000, exhausted: 1, delivered: 0 };

describe('updateWebhook', () => {
  it.each([
    { url: 'https://other.example.com/' },
    { eventTypes: ['email.sent'] },
    { eventTypes: [] },
    { tags: ['kind:reset'] },
    { tags: [], templates: [] },
    { description: 'invoices' },
    { description: '' },
    { maxAttempts: 1 },
    { maxAttempts: 20 },
    { url: 'https://other.example.com/', eventTypes: ['email.sent'], description: 'invoices' },
  ])('changes only the given fields: %o', async (body) => {
    const { run, webhook, storedWebhook } = await prepare(body, { eventTypes: ['email.bounced'] });

    const changed = await run();

    expect(changed).toEqual({ ...webhook, ...body, updatedAt: now });
    expect(await storedWebhook()).toEqual(changed);
  });

  it('changes another field of a webhook in Resend’s form with a type of a newer version', async () => {
    const newer = { format: 'resend', eventTypes: ['email.read'] } as const;
    const { run } = await prepare(
      { description: 'new' },
      { ...newer, eventTypes: [...newer.eventTypes] },
    );

    expect(await run()).toMatchObject({ ...newer, description: 'new' });
  });

  it.each([0, 21, 2.5, '5', Number.NaN])('refuses %s attempts', async (maxAttempts) => {
    const { run, webhook, storedWebhook } = await prepare({ maxAttempts });

    await expect(run()).rejects.toThrow();
    expect(await storedWebhook()).toEqual(webhook);
  });

  it('restores the default number of attempts', async () => {
    const { run, storedWebhook } = await prepare({ maxAttempts: null }, { maxAttempts: 12 });

    expect(await run()).not.toHaveProperty('maxAttempts');
    expect(await storedWebhook()).not.toHaveProperty('maxAttempts');
  });

  it('pauses the webhook, and leaves everything else as it is', async () => {
    const { run, webhook, storedWebhook } = await prepare({ paused: true }, { health });

    expect(await run()).toEqual({ ...webhook, pausedAt: now, updatedAt: now });
    expect(await storedWebhook()).toMatchObject({ pausedAt: now, health });
  });

  it('keeps the time of an earlier pause', async () => {
    const { run } = await prepare({ paused: true }, { pausedAt: now - 5 });

    expect(await run()).toMatchObject({ pausedAt: now - 5 });
  });

  it.each([{ description: 'new' }, { enabled: true }, { url: 'https://other.example.com/' }])(
    'keeps a paused webhook paused with %o',
    async (body) => {
      const { run } = await prepare(body, { pausedAt: now - 5, disabled: gone });

      expect(await run()).toMatchObject({ pausedAt: now - 5 });
    },
  );

  it('resumes the webhook', async () => {
    const { run, storedWebhook } = await prepare({ paused: false }, { pausedAt: now - 5, health });

    expect(await run()).not.toHaveProperty('pausedAt');
    expect(await storedWebhook()).not.toHaveProperty('pausedAt');
    expect(await storedWebhook()).toMatchObject({ health });
  });

  it('disables the webhook', async () => {
    const { run, webhook } = await prepare({ enabled: false });

    const disabled = { reason: 'by_owner', at: now };
    expect(await run()).toEqual({ ...webhook, disabled, updatedAt: now });
  });

  it('keeps the reason of an already disabled webhook', async () => {
    const { run } = await prepare({ enabled: false }, { disabled: gone });

    expect(await run()).toMatchObject({ disabled: gone });
  });

  it('enables the webhook, and clears its failures', async () => {
    const { run } = await prepare({ enabled: true }, { disabled: gone, health });

    const enabled = await run();

    expect(enabled).not.toHaveProperty('disabled');
    expect(enabled).not.toHaveProperty('health');
  });

  it('keeps a disabled webhook disabled unless told to enable it', async () => {
    const { run } = await prepare({ description: 'invoices' }, { disabled: gone, health });

    expect(await run()).toMatchObject({ disabled: gone, health });
  });

  it('keeps the failures for the same URL, and clears them for a new one', async () => {
    const elsewhere = await prepare({ url: 'https://other.example.com/' }, { health });
    const same = await prepare({ url: elsewhere.webhook.url }, { health });

    expect(await elsewhere.run()).not.toHaveProperty('health');
    expect(await same.run()).toMatchObject({ health });
  });

  it('clears the slow mark when the webhook is enabled or gets a new URL', async () => {
    const slow = { slowUntil: now + 60_000 };
    const elsewhere = await prepare({ url: 'https://other.example.com/' }, slow);
    const enabled = await prepare({ enabled: true }, { ...slow, disabled: gone });
    const same = await prepare({ description: 'invoices' }, slow);

    expect(await elsewhere.run()).not.toHaveProperty('slowUntil');
    expect(await enabled.run()).not.toHaveProperty('slowUntil');
    expect(await same.run()).toMatchObject(slow);
  });

  it('keeps the secrets', async () => {
    const previousSecrets = [{ secret: 'whsec_b', expiresAt: now }];
    const { run, webhook } = await prepare({ enabled: false }, { previousSecrets });

    expect(await run()).toMatchObject({ secret: webhook.secret, previousSecrets });
  });

  it("rejects a URL that isn't allowed for a new webhook", async () => {
    const { run, webhook, storedWebhook } = await prepare({ url: 'https://10.0.0.1/' });

    const error = await serviceErrorOf(run);

    expect(error.errors).toEqual([
      { path: 'url', message: 'must not lead to a private, loopback or reserved address' },
    ]);
    expect(await storedWebhook()).toEqual(webhook);
  });
});

describe('the request', () => {
  it.each([
    ['with nothing to change', {}],
    ['with a misspelt field', { enable: false }],
    ['with a secret', { secret: 'whsec_mine' }],
    ['with a state that is no boolean', { enabled: 'false' }],
    ['with no URL', { url: null }],
  ])('%s is rejected', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
