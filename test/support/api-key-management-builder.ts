import { putApiKey } from '#shared/access/api-key-store';
import type { Organization } from '#shared/organizations/organization';
import { accountNow, openAccount } from './account.ts';
import { buildApiKey } from './api-key-builder.ts';

export const managementNow = accountNow;

/** An organization with a manager's key and others, on a table in memory. */
export async function openKeyManagement(
  settings: readonly Parameters<typeof buildApiKey>[0][] = [],
  organization: Partial<Organization> = {},
) {
  const account = await openAccount(organization);
  const { table, now, limitsOfDeployment, organizationId, apiKey } = account;
  const addKey = async (key: Parameters<typeof buildApiKey>[0]) => {
    const built = buildApiKey({ organizationId, ...key });
    await putApiKey(table, built.apiKey);
    return built;
  };
  const others: Awaited<ReturnType<typeof addKey>>[] = [];
  for (const key of settings) others.push(await addKey(key));
  return {
    ...account,
    others,
    addKey,
    /** What a test changes: the first of the other keys, or else the manager's own. */
    target: others[0]?.apiKey ?? apiKey,
    management: { table, now, limitsOfDeployment },
  };
}
