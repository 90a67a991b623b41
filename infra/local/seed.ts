import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { putNewCategory } from '#shared/contacts/category-store';
import { createApiKey } from '#shared/organizations/api-key';
import { putNewApiKey } from '#shared/organizations/api-key-store';
import { putNewOrganization } from '#shared/organizations/organization-store';
import { scopes } from '#shared/organizations/scopes';
import { openTable } from '#shared/table/table-client';
import { newOrganizationId } from '#shared/tokens/resource-id';

export type LocalOrganization = {
  readonly organizationId: string;
  /** A key without scopes: it sends. */
  readonly apiKey: string;
  /** A key with every scope. */
  readonly manageKey: string;
  readonly fromEmail: string;
};

/** Stores the twin's one organization, with an active From identity and two keys. */
export async function seedLocalOrganization(): Promise<LocalOrganization> {
  const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
  const id = newOrganizationId();
  const now = Date.now();
  const fromEmail = 'hello@mail.example.com';
  const send = createApiKey(id, { name: 'send', scopes: [], createdAt: now });
  const manage = createApiKey(id, { name: 'manage', scopes: [...scopes], createdAt: now });

  await putNewOrganization(table, {
    id,
    name: 'Example Ltd',
    paused: false,
    attachmentsEnabled: true,
    identity: { domain: 'mail.example.com', fromEmail, status: 'active' },
    footerText: 'Example Ltd, 1 Example Street, Exampletown',
    policies: { newsletter: { kind: 'bulk', categoryKey: 'newsletter' } },
    webhooks: {},
    createdAt: now,
    updatedAt: now,
  });
  await Promise.all([
    putNewApiKey(table, send.apiKey),
    putNewApiKey(table, manage.apiKey),
    putNewCategory(table, id, { key: 'newsletter', name: 'Newsletter' }),
    putNewCategory(table, id, { key: 'product-updates', name: 'Product updates' }),
  ]);
  return { organizationId: id, apiKey: send.text, manageKey: manage.text, fromEmail };
}
