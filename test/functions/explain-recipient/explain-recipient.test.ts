import { describe, expect, it } from 'vitest';
import type { SuppressionReason } from '#shared/contacts/contact';
import type { ProviderEvent } from '#shared/events/event-store';
import type { Identity } from '#shared/identity/identity';
import { storeIdentityChange } from '#shared/identity/identity-store';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { storeSendEvent } from '#shared/send-history/send-event-store';
import type { SuppressionDetails } from '#shared/suppressions/suppression';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import {
  endpoint,
  explainRecipient,
  type RecipientExplanation,
} from '../../../functions/explain-recipient/explain-recipient.ts';
import { storeSend } from '../../support/claim-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildSend, newSendId } from '../../support/send-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const { organizationId, caller, now } = buildManager();
const send = buildSend({
  id: newSendId(organizationId),
  status: 'sent',
  providerMessageId: 'm-1',
  toEmail: 'Ann@example.com',
});

/** It holds the organization, whose default domain is active unless it's given otherwise. */
async function openTable(given: Partial<Organization> = {}) {
  const { table } = openMemoryTable();
  await putOrganization(table, buildOrganization({ id: organizationId, ...given }));
  return table;
}

/** Its organization has no active default domain. */
async function openTableWithout(given: Pick<Organization, 'domains'> = {}, identity?: Identity) {
  const { table } = openMemoryTable();
  const { identity: _, ...organization } = buildOrganization({ id: organizationId, ...given });
  await putOrganization(table, organization);
  if (identity !== undefined) {
    await storeIdentityChange(table, { before: undefined, after: identity }, {});
  }
  return table;
}

/** It holds the send, and one event. */
async function tableOf(event: ProviderEvent) {
  const table = await openTable();
  await storeSend(table, send);
  await storeSendEvent(table, send, event);
  return table;
}

/** It holds a suppression of the address. */
async function tableWith(
  reason: SuppressionReason,
  details: SuppressionDetails = {},
  organization: Partial<Organization> = {},
) {
  const table = await openTable(organization);
  await suppressAddress(
    table,
    organizationId,
    { identity: 'ann@example.com', reason, details },
    now(),
  );
  return table;
}

const run = async (given: Partial<RecipientExplanation> = {}) =>
  explainRecipient(
    {
      caller,
      path: endpoint.path.parse({ email: 'ann@Example.com' }),
      query: endpoint.query.parse({}),
    },
    { table: await openTable(), now, readProviderList: async () => undefined, ...given },
  );

describe('explainRecipient', () => {
  it('describes the latest emails and their outcomes', async () => {
    const { emails } = await run({
      table: await tableOf({ type: 'delivered', ts: 1, providerMessageId: 'm-1' }),
    });

    expect(emails).toMatchObject([
      {
        sendId: send.id,
        outcomeKind: 'delivered',
        outcome: expect.stringContaining('server accepted it'),
      },
    ]);
  });

  it('says what to do next, by the latest email', async () => {
    const table = await tableOf({ type: 'delivered', ts: 1, providerMessageId: 'm-1' });
    const later = { id: newSendId(organizationId), toEmail: 'ann@example.com' };
    const createdAt = send.createdAt + 1;
    await storeSend(table, buildSend({ ...later, status: 'failed', createdAt }));

    const { nextStep } = await run({ table });

    const text = 'Fix what made it fail, then send it again from your application.';
    expect(nextStep).toEqual({ about: 'email', text });
  });

  it('says of an address that nobody has emailed to check it for typos', async () => {
    const { nextStep } = await run();

    expect(nextStep).toMatchObject({ about: 'address', text: expect.stringContaining('typos') });
  });

  it('lists what blocks email to the address now, each with its cause', async () => {
    const { obstacles } = await run({
      table: await tableWith(
        'bounce',
        {
          ...{ at: 1_700_000_000_000, providerMessageId: 'm-1' },
          diagnostic: 'smtp; 550 5.1.1 unknown',
        },
        { paused: true },
      ),
      readProviderList: async () => ({ reason: 'bounce', at: 1 }),
    });

    expect(obstacles).toEqual([
      expect.stringContaining('paused'),
      expect.stringMatching(
        /bounced, as example\.com says this mailbox doesn’t exist \(since 2023-11-14T/,
      ),
      expect.stringMatching(/own suppression list.*Lifting the suppression takes it off/),
    ]);
  });

  it.each([
    ['nobody', () => openTable()],
    ['an import', () => tableWith('bounce')],
    ['the organization by hand', () => tableWith('manual')],
  ])("doesn't check SES's shared list for an address suppressed by %s", async (_who, open) => {
    const { providerList } = await run({
      table: await open(),
      readProviderList: unexpected('readProviderList'),
    });

    expect(providerList).toEqual({ state: 'not_shown' });
  });

  it.each([
    [
      'provider_suppressed',
      /dropped the latest email.*own suppression lists\..*isn’t suppressed here/,
    ],
    ['address_guess', /dropped the latest email.*Auto Validation considers/],
  ])('says that SES itself dropped the latest email: %s', async (reason, words) => {
    const { obstacles } = await run({
      table: await tableOf({ type: 'bounced', ts: 1, providerMessageId: 'm-1', reason }),
    });

    expect(obstacles).toEqual([expect.stringMatching(words)]);
  });

  it('says that a possible complaint blocks bulk email only', async () => {
    const { obstacles } = await run({
      table: await tableWith('complaint', { possible: true, providerMessageId: 'm-1' }),
    });

    expect(obstacles).toEqual([
      expect.stringMatching(/Only transactional email.*possibly this one/),
    ]);
  });

  it("says that SES has paused the organization's tenant", async () => {
    const tenant = { sending: 'paused' } as const;
    const { obstacles, organization } = await run({ table: await openTable({ tenant }) });

    expect(obstacles).toEqual([expect.stringContaining('SES has paused')]);
    expect(organization).toMatchObject({ paused: false, pausedBySes: true });
  });

  it.each(['pending', 'failed'] as const)(
    'distinguishes an identity that is %s from none',
    async (status) => {
      const [domain, mailFromDomain] = ['mail.example.org', 'bounces.mail.example.org'];
      const wanted = { domain, fromEmail: `hello@${domain}`, mailFromDomain, status, createdAt: 1 };
      const identity = { organizationId, wanted, removing: [], updatedAt: 1 };

      const withIdentity = await run({ table: await openTableWithout({}, identity) });
      const withoutIdentity = await run({ table: await openTableWithout() });

      expect(withIdentity.organization.identity).toBe(status);
      expect(withoutIdentity.organization.identity).toBe('none');
      expect(withIdentity.obstacles).toEqual(withoutIdentity.obstacles);
    },
  );

  it('says which domains still send when the default is not active', async () => {
    const domain = 'billing.example.com';
    const domains = [{ domain, fromEmail: `hello@${domain}`, status: 'active' as const }];

    const { obstacles, organization } = await run({ table: await openTableWithout({ domains }) });

    expect(organization).toMatchObject({ identity: 'none', activeDomains: [domain] });
    expect(obstacles).toEqual([
      expect.stringMatching(/default domain.*billing\.example\.com go out/),
    ]);
  });

  it('says nothing where nothing is known and nothing is wrong', async () => {
    expect(await run()).toMatchObject({
      email: 'ann@example.com',
      obstacles: [],
      contact: null,
      suppressions: [],
      providerList: { state: 'not_shown' },
      emails: [],
    });
  });

  it('asks SES for each spelling once, on the list by which the organization’s emails go', async () => {
    const asked: unknown[] = [];
    await run({
      table: await tableWith('bounce', { address: 'Ann@example.com', providerMessageId: 'm-1' }),
      readProviderList: async (_table, of, spellings) => {
        asked.push([of, spellings]);
        return undefined;
      },
    });

    expect(asked).toEqual([[organizationId, ['ann@example.com', 'Ann@example.com']]]);
  });

  it("returns the rest when SES can't be asked", async () => {
    const { providerList } = await run({
      table: await tableWith('bounce', { providerMessageId: 'm-1' }),
      readProviderList: async () => {
        throw new Error('too busy');
      },
    });

    expect(providerList).toEqual({ state: 'unknown' });
  });
});
