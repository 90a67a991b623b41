import { describe, expect, it } from 'vitest';
import { organizationPositionSchema } from '#shared/organizations/organization-store';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { sumUsage } from '#shared/usage/usage-counts';
import { endpoint as listOrganizationUsage } from '../../../functions/list-organization-usage/list-organization-usage.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { surroundings } from '../../support/surroundings.ts';

const next = organizationPositionSchema.parse(`001700000000000#${newOrganizationId()}`);
const caller = { id: 'operator', secret: newCursorSecret() };

const organizationWith = (name: string, ...eventTypes: readonly string[][]) => {
  const id = newOrganizationId();
  const webhooks = eventTypes.map((types) => [newWebhookId(id), { eventTypes: types }] as const);
  return buildOrganization({ id, name, webhooks: Object.fromEntries(webhooks) });
};
const organizations = [
  organizationWith('Busy', [], ['email.delivered', 'contact.unsubscribed']),
  organizationWith('Idle', []),
];
const listing = {
  now: () => Date.parse('2026-11-30T23:59:59Z'),
  organizations: { readPage: async () => ({ organizations, next }) },
  usage: {
    readCounts: async (id: string, month: string) => {
      expect(month).toBe('2026-11');
      return sumUsage(
        id === organizations[0]?.id ? [{ sends: 3, recipients: 6, sent: 3, delivered: 2 }] : [],
      );
    },
  },
};

describe('listOrganizationUsage', () => {
  it('lists the current month, even for organizations that sent nothing', async () => {
    const query = { limit: 2, cursor: undefined, month: undefined };

    const { data } = await listOrganizationUsage.run({ ...surroundings, caller, query }, listing);

    const nothing = { sends: 0, recipients: 0, attachments: 0, attachmentBytes: 0 };
    const idle = { ...nothing, webhookMessages: 0 };
    expect(data).toEqual([
      {
        organizationId: organizations[0]?.id,
        name: 'Busy',
        month: '2026-11',
        ...idle,
        sends: 3,
        recipients: 6,
        // Three that it sent and two delivered to one webhook, and the delivered to the other.
        webhookMessages: 7,
      },
      { organizationId: organizations[1]?.id, name: 'Idle', month: '2026-11', ...idle },
    ]);
  });

  it('accepts a cursor for the same month only', async () => {
    const ask = (month: string, cursor?: string) =>
      listOrganizationUsage.run(
        { ...surroundings, caller, query: { limit: 2, cursor, month } },
        listing,
      );
    const { nextCursor } = await ask('2026-11');

    await expect(ask('2026-10', nextCursor ?? '')).rejects.toThrow();
    await expect(ask('2026-11', nextCursor ?? '')).resolves.toBeDefined();
  });
});
