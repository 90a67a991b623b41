import { describe, expect, it } from 'vitest';
import { type ApiKey, authenticate, parseApiKey } from '#shared/access/api-key';
import { toNewApiKeyView } from '#shared/access/api-key-fields';
import { scopes } from '#shared/access/scopes';
import type { AuditEntry } from '#shared/audit/audit-entry';
import type { Organization } from '#shared/organizations/organization';
import { organizationIdOf } from '#shared/tokens/resource-id';
import {
  createOrganization,
  endpoint,
} from '../../../functions/create-organization/create-organization.ts';
import {
  fakeOrganizationManagement,
  managementNow,
} from '../../support/organization-management-builder.ts';

async function create(body: unknown) {
  const created: {
    organization: Organization;
    firstKey: ApiKey;
    entries: readonly AuditEntry[];
  }[] = [];
  const management = fakeOrganizationManagement({
    create: async (organization, firstKey, entries) => {
      created.push({ organization, firstKey, entries });
    },
  });
  const answer = await createOrganization({ body: endpoint.body.parse(body) }, management);
  return { answer, created };
}

describe('createOrganization', () => {
  it('stores an organization that can send once it has an identity', async () => {
    const { answer, created } = await create({ name: 'Example Ltd' });

    expect(created[0]?.organization).toEqual(answer.organization);
    expect(answer.organization).toEqual({
      id: expect.stringMatching(/^org_/),
      name: 'Example Ltd',
      paused: false,
      attachmentsEnabled: true,
      policies: {},
      webhooks: {},
      cursorSecret: expect.stringMatching(/^[a-z2-7]{52}$/),
      createdAt: managementNow,
      updatedAt: managementNow,
    });
  });

  it('gives it a key with every scope, and stores only its hash', async () => {
    const { answer, created } = await create({ name: 'Example Ltd' });
    const { text, apiKey } = answer.firstKey;
    const presented = parseApiKey(text);

    expect(created[0]?.firstKey).toEqual(apiKey);
    expect(organizationIdOf(apiKey.id)).toBe(answer.organization.id);
    expect(apiKey.scopes).toEqual(scopes);
    expect(presented && authenticate(presented, apiKey, managementNow)).toEqual(apiKey);
    expect(JSON.stringify(created)).not.toContain(text.slice(-32));
  });

  it('shows the secret that encrypts its cursors neither in the answer nor in the audit', async () => {
    const { answer, created } = await create({ name: 'Example Ltd' });
    const { organization, firstKey } = answer;

    const shown = endpoint.answers[201].body.parse({
      organization,
      apiKey: toNewApiKeyView(firstKey),
    });

    expect(JSON.stringify([shown, created[0]?.entries])).not.toContain(organization.cursorSecret);
  });

  it('audits who created both', async () => {
    const { answer, created } = await create({ name: 'Example Ltd', attachmentsEnabled: true });

    expect(created[0]?.entries).toMatchObject([
      {
        actor: 'operator',
        action: 'organization.created',
        target: answer.organization.id,
        after: { name: 'Example Ltd', attachmentsEnabled: true },
      },
      { actor: 'operator', action: 'api_key.created', target: answer.firstKey.apiKey.id },
    ]);
    expect(JSON.stringify(created[0]?.entries)).not.toContain(answer.firstKey.apiKey.secretHash);
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
