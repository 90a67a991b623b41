import { describe, expect, it } from 'vitest';
import { authenticate, parseApiKey } from '#shared/access/api-key';
import { toNewApiKeyView } from '#shared/access/api-key-fields';
import { getApiKey } from '#shared/access/api-key-store';
import { wideScopes } from '#shared/access/scopes';
import { listAuditEntries } from '#shared/audit/audit-store';
import { getOrganization } from '#shared/organizations/organization-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import {
  createOrganization,
  endpoint,
} from '../../../functions/create-organization/create-organization.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const now = 1_750_000_000_000;

async function create(body: unknown) {
  const { table, items } = openMemoryTable();
  const answer = await createOrganization(
    { caller: { actor: 'operator' }, body: endpoint.body.parse(body) },
    { table, now: () => now },
  );
  const range = { before: undefined, limit: 10 };
  const { entries } = await listAuditEntries(table, answer.organization.id, range, now);
  return { answer, table, items, entries };
}

describe('createOrganization', () => {
  it('stores an organization that can send once it has an identity', async () => {
    const { answer, table } = await create({ name: 'Example Ltd' });

    expect(await getOrganization(table, answer.organization.id)).toEqual(answer.organization);
    expect(answer.organization).toEqual({
      id: expect.stringMatching(/^org_/),
      name: 'Example Ltd',
      paused: false,
      attachmentsEnabled: true,
      policies: {},
      webhooks: {},
      cursorSecret: expect.stringMatching(/^[a-z2-7]{52}$/),
      createdAt: now,
      updatedAt: now,
    });
  });

  it('gives it a key that may do everything, and stores only its hash', async () => {
    const { answer, table, items } = await create({ name: 'Example Ltd' });
    const { text, apiKey } = answer.firstKey;
    const presented = parseApiKey(text);

    const stored = await getApiKey(table, apiKey.id);

    expect(stored?.apiKey).toEqual(apiKey);
    expect(organizationIdOf(apiKey.id)).toBe(answer.organization.id);
    expect(apiKey.scopes).toEqual(wideScopes);
    expect(presented && authenticate(presented, apiKey, now)).toEqual(apiKey);
    expect(JSON.stringify(items())).not.toContain(text.slice(-32));
  });

  it('shows the secret that encrypts its cursors neither in the answer nor in the audit', async () => {
    const { answer, entries } = await create({ name: 'Example Ltd' });
    const { organization, firstKey } = answer;

    const shown = endpoint.answers[201].body.parse({
      organization,
      apiKey: toNewApiKeyView(firstKey),
    });

    expect(JSON.stringify([shown, entries])).not.toContain(organization.cursorSecret);
  });

  it('audits who created both', async () => {
    const { answer, entries } = await create({ name: 'Example Ltd', attachmentsEnabled: true });

    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'operator',
        action: 'organization.created',
        target: answer.organization.id,
        after: { name: 'Example Ltd', attachmentsEnabled: true },
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ actor: 'operator', action: 'api_key.created' },
        target: answer.firstKey.apiKey.id,
      }),
    );
    expect(JSON.stringify(entries)).not.toContain(answer.firstKey.apiKey.secretHash);
  });
});

describe('the request', () => {
  it.each([
    ['without a name', {}],
    ['with an empty name', { name: '' }],
    ['with a name of spaces', { name: ' ' }],
    ['with a name of two lines', { name: 'Example\r\nBcc: ann@example.com' }],
    ['with a name too long', { name: 'x'.repeat(101) }],
    ['with an unknown field', { name: 'Example', paused: true }],
  ])('%s is refused', (_what, body) => {
    expect(endpoint.body.safeParse(body).success).toBe(false);
  });
});
