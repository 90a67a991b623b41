import type { ApiKey } from '#shared/access/api-key';
import type { ApiKeyChange } from '#shared/access/api-key-store';
import type { ApiKeyManagement } from '#shared/access/change-api-key';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey, fakeApiKeys } from './api-key-builder.ts';
import { callerWith } from './manager-builder.ts';

export const managementNow = 1_750_000_000_000;

type Written = { readonly change: Partial<ApiKeyChange>; readonly entry: AuditEntry };

/** An organization with a manager's key and others, in memory. What is not overridden works. */
export function buildKeyManagement(
  settings: readonly Parameters<typeof buildApiKey>[0][] = [],
  overrides: Partial<ApiKeyManagement['apiKeys']> = {},
) {
  const organizationId = newOrganizationId();
  const manager = buildApiKey({ organizationId, scopes: ['manage_organization'] });
  const others = settings.map((each) => buildApiKey({ organizationId, ...each }));
  const keys = new Map<string, ApiKey>(
    [manager, ...others].map(({ apiKey }) => [apiKey.id, apiKey]),
  );
  const written: Written[] = [];
  const management: ApiKeyManagement = {
    now: () => managementNow,
    limitsOfDeployment: {},
    apiKeys: {
      ...fakeApiKeys([]),
      get: (id) => fakeApiKeys(keys.values()).get(id),
      create: async (apiKey, entry) => {
        written.push({ change: { after: apiKey }, entry });
      },
      change: async (change, entry) => {
        keys.set(change.after.id, change.after);
        written.push({ change, entry });
        return 'stored';
      },
      count: async () => ({ valid: keys.size, listed: keys.size }),
      ...overrides,
    },
  };
  const caller = callerWith(manager.apiKey);
  return { organizationId, manager, caller, others, management, written, keys };
}
