import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKey } from '#shared/access/api-key';
import { apiKeyItemOf, getApiKey, putApiKey } from '#shared/access/api-key-store';
import { readRequestQuota } from '#shared/access/request-quota-store';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { RequestQuota } from '#shared/config/request-quotas';
import { deleteOrganization } from '#shared/identity/delete-organization';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { buildApiKey } from './api-key-builder.ts';
import { callerWith } from './manager-builder.ts';
import { openMemoryTable } from './memory-table/memory-table.ts';
import { buildOrganization } from './organization-builder.ts';

const reads: ReadonlySet<string> = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);

export const accountNow = 1_750_000_000_000;

/**
 * What an operation runs with: a table in memory that holds an organization and a key that may manage it. A test sets
 * `now`, and makes earlier states by earlier requests.
 */
export async function openAccount(
  given: Partial<Organization> = {},
  key: Partial<Omit<ApiKey, 'id' | 'secretHash'>> = {},
) {
  const beforeWrites: (() => Promise<unknown>)[] = [];
  const calls: string[] = [];
  let isActing = false;
  const memory = openMemoryTable({
    intercept: async ({ operation }, run) => {
      calls.push(operation);
      if (isActing || reads.has(operation)) return run();
      isActing = true;
      await beforeWrites
        .shift()?.()
        .finally(() => {
          isActing = false;
        });
      isActing = false;
      return run();
    },
  });
  const { table } = memory;
  const organization = buildOrganization(given);
  const { id: organizationId, webhooks, sendRetentionDays } = organization;
  const { text: credential, apiKey } = buildApiKey({
    organizationId,
    scopes: ['manage_organization'],
    ...key,
  });
  await putOrganization(table, organization);
  await putApiKey(table, apiKey);
  const clock = { at: accountNow };
  const now = () => clock.at;
  const storedKey = async (id = apiKey.id): Promise<ApiKey> => {
    const found = await getApiKey(table, id);
    if (found === undefined) throw new Error('The key is gone');
    return found.apiKey;
  };
  return {
    table,
    organization,
    organizationId,
    credential,
    apiKey,
    caller: {
      ...callerWith(apiKey),
      cursorOwner: { id: organizationId, secret: organization.cursorSecret },
      ownLimits: organization.limits,
      subscribed: { webhooks, sendRetentionDays },
    },
    clock,
    now,
    limitsOfDeployment: {},
    /** What happens right before the next writes, one each: another request that comes first, or an error. */
    beforeNextWrite: (...acts: readonly (() => Promise<unknown>)[]) => {
      beforeWrites.push(...acts);
    },
    /** The operator changes the organization. */
    change: (changes: Partial<Organization>) =>
      changeOrganization(organizationId, 'operator', (before) => ({ ...before, ...changes }), {
        table,
        now,
      }),
    /** The operator deletes the organization. */
    remove: () =>
      deleteOrganization(
        {
          caller: { actor: 'operator' },
          path: { id: organizationId },
          query: { name: organization.name },
        },
        { table, now },
      ),
    /** The organization as it's stored now. */
    stored: () => getOrganization(table, organizationId),
    /** The calls to the table that the work makes. */
    callsOf: async (work: () => Promise<unknown>) => {
      const before = calls.length;
      await work();
      return calls.slice(before);
    },
    items: memory.items,
    /** Those that are filed, whether sent or not. */
    notices: () => memory.items().filter((item) => 'cause' in item),
    storedKey,
    /** Whatever the key may become. */
    changeKey: async (changes: Partial<ApiKey>, id = apiKey.id) => {
      const Item = apiKeyItemOf({ ...(await storedKey(id)), ...changes });
      await table.client.send(new PutCommand({ TableName: table.name, Item }));
    },
    /** How much of the day's quota is used. */
    usedOf: (quota: RequestQuota) => readRequestQuota(table, organizationId, quota, clock.at),
    /** Newest first. */
    audit: async () =>
      (await listAuditEntries(table, organizationId, { before: undefined, limit: 100 }, clock.at))
        .entries,
  };
}

export type Account = Awaited<ReturnType<typeof openAccount>>;
