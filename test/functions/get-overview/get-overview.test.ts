import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { ServiceError } from '#shared/errors/service-error';
import type { Identity } from '#shared/identity/identity';
import { storeIdentityChange } from '#shared/identity/identity-store';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Send } from '#shared/sending/send';
import type { Table } from '#shared/table/table-client';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { createWebhook } from '#shared/webhooks/webhook-store';
import {
  endpoint,
  endpoint as getOverview,
  type OverviewReading,
} from '../../../functions/get-overview/get-overview.ts';
import { openUsage } from '../../shared/usage/usage-batches.ts';
import { buildWebhook, webhookNow as now } from '../../shared/webhooks/webhook-builder.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { storeSend } from '../../support/claim-builder.ts';
import { buildEventRecord, buildSentRecord } from '../../support/counted-changes-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, leaseMs, newSendId } from '../../support/send-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

const { caller, organizationId } = buildManager();
const healthy = {
  region: 'eu-west-1',
  hasProductionAccess: true,
  isSendingEnabled: true,
  enforcementStatus: 'HEALTHY',
};

/** A new organization, in a table that is new too. */
async function openNew() {
  const { table } = openMemoryTable();
  const { identity: _, ...organization } = buildOrganization({ id: organizationId });
  await putOrganization(table, organization);
  return table;
}

/** The organization that sends from its default domain, and its identities. */
async function openSending(
  given: Partial<Organization> = {},
  identities: readonly Identity[] = [active],
) {
  const { table } = openMemoryTable();
  await putOrganization(table, buildOrganization({ id: organizationId, ...given }));
  for (const after of identities) {
    await storeIdentityChange(table, { before: undefined, after }, {});
  }
  return table;
}

async function tableOf(sends: readonly Send[]) {
  const table = await openNew();
  for (const send of sends) await storeSend(table, send);
  return table;
}

const wanted = {
  domain: 'mail.example.com',
  fromEmail: 'hello@mail.example.com',
  mailFromDomain: 'bounces.mail.example.com',
  status: 'active',
  createdAt: 1,
} as const;
const active: Identity = { organizationId, wanted, removing: [], updatedAt: 1 };

/** They are registered with the organization, the oldest first. */
async function register(table: Table, ...webhooks: readonly Partial<Webhook>[]) {
  for (const [index, webhook] of webhooks.entries()) {
    const id = newWebhookId(organizationId);
    await createWebhook(table, buildWebhook({ id, createdAt: index, ...webhook }), anyEntry());
  }
}

const run = async (given: Partial<OverviewReading> = {}) =>
  endpoint.answers[200].body.parse(
    await getOverview.run(
      { ...surroundings, caller },
      {
        table: await openNew(),
        now: () => now,
        limitsOfDeployment: {},
        ses: { getAccount: async () => healthy },
        ...given,
      },
    ),
  );

const sendAt = (createdAt: number, overrides: Partial<Send> = {}) =>
  buildSend({ id: newSendId(organizationId), claimedAt: createdAt, ...overrides });

describe('getOverview', () => {
  it('shows a new organization the remaining setup steps, and no problems', async () => {
    const overview = await run();

    expect(overview).toMatchObject({
      organization: { paused: false, tenant: null },
      identity: null,
      account: { problems: [] },
      setup: { isFinished: false },
      sends: { since: now - 86_400_000, looked: 0, inDoubt: 0, failed: 0 },
      webhooks: [],
    });
  });

  it('finds every completed step', async () => {
    const table = await openSending();
    await openUsage(table).deliver([
      buildSentRecord({ organizationId, sequence: 1 }),
      buildEventRecord('delivered', { organizationId, sequence: 2 }),
    ]);
    await putApiKey(table, buildApiKey({ organizationId }).apiKey);
    await register(table, {});
    const { setup } = await run({ table });

    expect(setup.isFinished).toBe(true);
    expect(setup.steps.map(({ isDone }) => isDone)).toEqual(setup.steps.map(() => true));
  });

  it('counts the first email as sent as soon as it is, before usage has it', async () => {
    const { setup } = await run({ table: await tableOf([sendAt(now - 5, { status: 'sent' })]) });

    expect(setup.steps).toContainEqual({ name: 'first_sent', isDone: true, isOptional: false });
  });

  it.each([
    [{ recipientsPerDay: 10_000 }, 50_000, { recipients: 10_000, setBy: 'operator' }],
    [{ recipientsPerDay: 90_000 }, 50_000, { recipients: 50_000, setBy: 'ses' }],
    [{}, 50_000, { recipients: 50_000, setBy: 'ses' }],
    [{ recipientsPerDay: 10_000 }, undefined, { recipients: 10_000, setBy: 'operator' }],
  ])('says of %o and SES’s %s a day which is the lower', async (limits, dailyQuota, expected) => {
    const { organization, account } = await run({
      limitsOfDeployment: limits,
      ses: { getAccount: async () => ({ ...healthy, dailyQuota }) },
    });

    expect(organization.dailyLimit).toEqual(expected);
    expect(account).not.toHaveProperty('dailyQuota');
  });

  it('says who has paused the organization, and what SES decided about the account', async () => {
    const { organization, account } = await run({
      table: await openSending({
        paused: true,
        tenant: { sending: 'paused', reason: 'Bounces' },
      }),
      ses: { getAccount: async () => ({ ...healthy, enforcementStatus: 'PROBATION' }) },
    });

    expect(organization).toMatchObject({
      paused: true,
      tenant: { sending: 'paused', reason: 'Bounces' },
    });
    expect(account?.problems).toMatchObject([{ code: 'under_review' }]);
  });

  it('says for each domain whether it can send', async () => {
    const [billing, news] = ['billing.example.com', 'news.example.com'];
    const other = (otherDomain: string, status: 'active' | 'pending'): Identity => ({
      ...active,
      otherDomain,
      wanted: { ...wanted, domain: otherDomain, status },
    });
    const domains = [{ domain: billing, fromEmail: `hi@${billing}`, status: 'active' as const }];
    const overview = await run({
      table: await openSending({ domains }, [
        active,
        other(billing, 'active'),
        other(news, 'pending'),
      ]),
    });

    expect(overview.domains).toMatchObject([
      { domain: 'mail.example.com', isDefault: true, status: 'active' },
      { domain: billing, isDefault: false, status: 'active', canSend: true },
      { domain: news, isDefault: false, status: 'pending', canSend: false },
    ]);
  });

  it("shows everything else when SES can't be asked", async () => {
    const { account, setup, identity } = await run({
      table: await openSending(),
      ses: {
        getAccount: async () => {
          throw new ServiceError('provider_throttled', 'SES did not answer as it should.');
        },
      },
    });

    expect(account).toBeNull();
    expect(setup.steps).toContainEqual({
      name: 'production_access',
      isDone: null,
      isOptional: false,
    });
    expect(identity).toEqual({ domain: 'mail.example.com', status: 'active' });
  });

  it('shows a send as in doubt when its request ended, and as failed when its lease ended', async () => {
    const { sends } = await run({
      table: await tableOf([
        sendAt(now - 29_999),
        sendAt(now - 30_000),
        sendAt(now - leaseMs + 1),
        sendAt(now - leaseMs),
        sendAt(now - leaseMs, { status: 'failed' }),
        sendAt(now - leaseMs, { status: 'sent' }),
      ]),
    });

    expect(sends).toMatchObject({ looked: 6, inDoubt: 2, failed: 2 });
  });

  it('says how far back it looked when a day has more sends than it reads', async () => {
    const many = Array.from({ length: 101 }, (_, index) => sendAt(now - index - 1));

    const { sends } = await run({ table: await tableOf(many) });

    expect(sends).toMatchObject({ looked: 100, since: now - 100 });
  });

  it("shows each webhook endpoint's health, and no secret", async () => {
    const table = await openNew();
    await register(
      table,
      {},
      { slowUntil: now + 1 },
      { disabled: { reason: 'gone', at: now } },
      { pausedAt: now },
    );

    const { webhooks } = await run({ table });

    expect(webhooks).toMatchObject([
      { health: { status: 'well' }, isSlow: false },
      { health: { status: 'well' }, isSlow: true },
      { health: { status: 'disabled' }, disabled: { reason: 'gone' }, isSlow: false },
      { health: { status: 'well' }, pausedAt: now, isSlow: false },
    ]);
    expect(webhooks[0]).not.toHaveProperty('pausedAt');
    expect(JSON.stringify(webhooks)).not.toContain('whsec_');
  });
});
