import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization, replaceOrganization } from '#shared/organizations/organization-store';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { monthOf } from '#shared/usage/month';
import { addUsage } from '#shared/usage/usage-store';
import { endpoint as listOrganizationUsage } from '../../../functions/list-organization-usage/list-organization-usage.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { operator, surroundings } from '../../support/surroundings.ts';

// All organizations are listed, and other files make some in the table that they share.
const table = await openOwnTable();
const now = Date.parse('2026-11-30T23:59:59Z');

function organizationWith(given: Partial<Organization>, ...eventTypes: readonly string[][]) {
  const id = newOrganizationId();
  const webhooks = eventTypes.map((types) => [newWebhookId(id), { eventTypes: types }] as const);
  return buildOrganization({ id, webhooks: Object.fromEntries(webhooks), ...given });
}

/** Those of the latest test are listed first. */
let createdAt = 0;

/** A busy and an idle organization, and how their usage is listed. */
async function openBusyAndIdle() {
  createdAt += 2;
  const eventTypes = [[], ['email.delivered', 'contact.unsubscribed']];
  const busy = organizationWith({ name: 'Busy', createdAt }, ...eventTypes);
  const idle = organizationWith({ name: 'Idle', createdAt: createdAt - 1 }, []);
  for (const organization of [busy, idle]) await putOrganization(table, organization);
  const counts = { sends: 3, recipients: 6, sent: 3, delivered: 2 };
  await addUsage(table, 'shard', {
    organizationId: busy.id,
    month: monthOf(now),
    entries: [{ organizationId: busy.id, sequence: '1', at: now, counts }],
  });
  const list = (
    query: {
      readonly month?: string;
      readonly day?: string;
      readonly search?: string;
      readonly cursor?: string;
      limit?: number;
    } = {},
  ) =>
    listOrganizationUsage.run(
      { ...surroundings, caller: operator, query: { limit: 2, ...query } },
      { table, now: () => now, limitsOfDeployment: {}, sesPricePlan: 'essentials' as const },
    );
  return { busy, idle, list };
}

describe('listOrganizationUsage', () => {
  it('lists the current month, even for organizations that sent nothing', async () => {
    const { busy, idle, list } = await openBusyAndIdle();

    const { data } = await list();

    const nothing = { recipients: 0, attachments: 0, attachmentBytes: 0 };
    const unused = {
      ...{ paused: false, recipientsPerDay: 10_000_000, month: '2026-11', sends: 0, ...nothing },
      ...{ webhookMessages: 0, bouncedRecipients: 0, complainedRecipients: 0 },
    };
    expect(data).toEqual([
      {
        ...{ organizationId: busy.id, name: 'Busy', ...unused, sends: 3, recipients: 6 },
        // Three that it sent and two delivered to one webhook, and the delivered to the other.
        webhookMessages: 7,
      },
      { organizationId: idle.id, name: 'Idle', ...unused },
    ]);
  });

  it('lists a day’s figures, with the limit in force and whether it’s paused', async () => {
    const { busy, list } = await openBusyAndIdle();
    const limited = { ...busy, paused: true, limits: { recipientsPerDay: 500 } };
    await replaceOrganization(table, busy, limited, anyEntry());

    const [today, before] = [await list({ day: '2026-11-30' }), await list({ day: '2026-11-29' })];

    const shown = { name: 'Busy', month: '2026-11', paused: true, recipientsPerDay: 500 };
    expect(today).toMatchObject({ data: [{ ...shown, day: '2026-11-30', sends: 3 }, {}] });
    expect(before).toMatchObject({ data: [{ ...shown, day: '2026-11-29', sends: 0 }, {}] });
    expect(today.sesPricePlan).toBe('essentials');
  });

  it('finds organizations by a part of their names, page by page', async () => {
    const { list } = await openBusyAndIdle();
    const names = async (query: Parameters<typeof list>[0] = {}) => {
      const { data, nextCursor } = await list(query);
      return { names: data.map(({ name }) => name), cursor: nextCursor ?? undefined };
    };

    const first = await names({ search: 'USY', limit: 1 });
    const second = await names({ search: 'USY', limit: 1, cursor: first.cursor ?? '' });
    const none = await names({ search: 'nobody' });

    expect([first.names, second.names]).toEqual([['Busy'], ['Busy']]);
    expect(none).toEqual({ names: [], cursor: undefined });
  });

  it('counts only the month that is asked for', async () => {
    const { list } = await openBusyAndIdle();

    const { data } = await list({ month: '2026-10' });

    expect(data).toMatchObject([
      { name: 'Busy', month: '2026-10', sends: 0 },
      { name: 'Idle', month: '2026-10', sends: 0 },
    ]);
  });

  it('accepts a cursor for the same month only', async () => {
    const { idle, list } = await openBusyAndIdle();
    const { nextCursor } = await list({ month: '2026-11', limit: 1 });
    const cursor = nextCursor ?? '';

    await expect(list({ month: '2026-10', cursor })).rejects.toThrow();
    const { data } = await list({ month: '2026-11', cursor });
    expect(data[0]).toMatchObject({ organizationId: idle.id });
  });
});
