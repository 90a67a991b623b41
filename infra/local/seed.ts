import * as z from 'zod';
import { createApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { testScopes, wideScopes } from '#shared/access/scopes';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import { storeDomainOwner } from '#shared/identity/domain-store';
import type { Identity } from '#shared/identity/identity';
import { storeWantedIdentity } from '#shared/identity/identity-store';
import { contactDigestOf } from '#shared/organizations/organization';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { putCategory } from '#shared/preferences/category-store';
import { newCursorSecret } from '#shared/table/cursor';
import { openTable, type Table } from '#shared/table/table-client';
import {
  newOrganizationId,
  type OrganizationId,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { seedPeople } from './people.ts';
import { StartFailure } from './server.ts';
import type { KeptData } from './twin-files.ts';

const localOrganizationSchema = z.object({
  organizationId: organizationIdSchema,
  /** Without scopes, so it can only send. */
  apiKey: z.string(),
  /** It may do everything. */
  manageKey: z.string(),
  /** SES gets none of its emails. */
  testKey: z.string(),
  fromEmail: z.string(),
});
/** The From domain in Resend's guides, so that their programs run here unchanged. */
export const resendDomain = 'resend.dev';

export type LocalOrganization = Readonly<z.output<typeof localOrganizationSchema>>;

/** The stored organization if the table still has it; otherwise a new one. */
export async function keptOrSeededOrganization(
  data: KeptData | undefined,
  { withPeople = false }: { readonly withPeople?: boolean } = {},
): Promise<LocalOrganization> {
  const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
  const kept = data?.keep('organization', z.nullable(localOrganizationSchema), () => null);
  if (kept && (await isStored(table, kept.organizationId))) return kept;
  const organization = await seedLocalOrganization(table);
  if (withPeople) await seedPeople(table, organization.organizationId, Date.now());
  data?.replace('organization', organization);
  return organization;
}

/** @throws StartFailure if another version of the service stored it. */
async function isStored(table: Table, id: OrganizationId): Promise<boolean> {
  try {
    return (await getOrganization(table, id)) !== undefined;
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    throw new StartFailure(
      'The data in .local/ was written by another version of the service. Start over with: npm start -- --fresh',
    );
  }
}

async function seedLocalOrganization(table: Table): Promise<LocalOrganization> {
  const id = newOrganizationId();
  const now = Date.now();
  const domain = 'mail.example.com';
  const fromEmail = `hello@${domain}`;
  const send = createApiKey(id, { name: 'send', scopes: [], createdAt: now });
  const manage = createApiKey(id, { name: 'manage', scopes: [...wideScopes], createdAt: now });
  const test = createApiKey(id, {
    name: 'test',
    test: true,
    scopes: [...testScopes],
    createdAt: now,
  });

  await putOrganization(table, {
    id,
    name: 'Example Ltd',
    paused: false,
    attachmentsEnabled: true,
    footerText: 'Example Ltd, 1 Example Street, Exampletown',
    policies: { newsletter: { kind: 'bulk', categoryKey: 'newsletter' } },
    webhooks: {},
    ...contactDigestOf(id),
    cursorSecret: newCursorSecret(),
    createdAt: now,
    updatedAt: now,
  });
  await seedDomain(table, id, { domain, fromEmail, isDefault: true }, now);
  const ofResend = { domain: resendDomain, fromEmail: `onboarding@${resendDomain}` };
  // A moment later, because the audit log shows simultaneous changes in any order.
  await seedDomain(table, id, { ...ofResend, isDefault: false }, now + 1);
  await Promise.all([
    putApiKey(table, send.apiKey),
    putApiKey(table, manage.apiKey),
    putApiKey(table, test.apiKey),
    putCategory(table, id, { key: 'newsletter', name: 'Newsletter' }),
    putCategory(table, id, { key: 'product-updates', name: 'Product updates' }),
  ]);
  const keys = { apiKey: send.text, manageKey: manage.text, testKey: test.text };
  return { organizationId: id, ...keys, fromEmail };
}

type SeededDomain = {
  readonly domain: string;
  readonly fromEmail: string;
  readonly isDefault: boolean;
};

/** Active, so that the organization can send from it. */
async function seedDomain(
  table: Table,
  organizationId: OrganizationId,
  { domain, fromEmail, isDefault }: SeededDomain,
  now: number,
): Promise<void> {
  const status = 'active';
  const identity: Identity = {
    organizationId,
    ...(!isDefault && { otherDomain: domain }),
    wanted: { domain, fromEmail, mailFromDomain: `bounces.${domain}`, status, createdAt: now },
    removing: [],
    updatedAt: now,
  };
  const shown = { domain, fromEmail, status } as const;
  const action = isDefault ? 'identity.set' : 'domain.added';
  await storeWantedIdentity(
    table,
    { before: undefined, after: identity },
    domain,
    isDefault ? { identity: shown } : { domains: [shown] },
    newAuditEntry(organizationId, 'operator', { action, target: domain }, now),
  );
  const owner = { organizationId, claimedAt: now, proof: 'record' } as const;
  await storeDomainOwner(table, domain, { before: undefined, after: owner }, identity);
}
