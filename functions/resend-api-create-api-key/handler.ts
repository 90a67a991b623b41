import { openApiKeyManagement } from '#shared/access/change-api-key';
import { createApiKey } from '#shared/access/manage-api-keys';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { invalidField } from '#shared/errors/service-error';
import { openIdentityStore } from '#shared/identity/identity-store';
import { wantingOf } from '#shared/identity/set-domain';
import { toApiKeySettings, tokenOf } from '#shared/resend/api-keys';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const identities = openIdentityStore(table);
const management = openApiKeyManagement(table, environment.ORGANIZATION_LIMITS);

export const handler = serveResend(endpoint, management, async ({ caller, body }, creating) => {
  const settings = toApiKeySettings(body);
  if (body.domain_id != null) await requireDomain(caller.organizationId, body.domain_id);
  const { text, apiKey } = await createApiKey({ caller, body: settings }, creating);
  return { id: apiKey.id, token: tokenOf(text) };
});

/** A key for a domain that isn’t there could send nothing. */
async function requireDomain(organizationId: OrganizationId, domain: string): Promise<void> {
  const both = await identities.readBoth(organizationId, domain);
  if (wantingOf(both, domain) !== undefined) return;
  throw invalidField('domain_id', 'must be the id of a domain of yours');
}
