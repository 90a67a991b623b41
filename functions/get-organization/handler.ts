import { openApiKeyStore } from '#shared/access/api-key-store';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { serveOperator } from '#shared/endpoints/serve-secret';
import { findOrganization } from '#shared/organizations/change-organization';
import { type OrganizationUse, toLimitsView } from '#shared/organizations/limits-view';
import type { Organization } from '#shared/organizations/organization';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { categoriesOf, identitiesOf, webhooksOf } from '#shared/table/keys';
import { countItems } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { openTemplateStore } from '#shared/templates/template-store';
import { dayOf } from '#shared/timing/day';
import { sumUsage } from '#shared/usage/usage-counts';
import { openUsageStore } from '#shared/usage/usage-store';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(
  endpoint,
  (table) => ({ table, organizations: openOrganizationStore(table) }),
  async ({ path: { id } }, { table, organizations, limitsOfDeployment, now }) => {
    const organization = await findOrganization(id, organizations);
    return {
      ...organization,
      limits: toLimitsView(organization.limits, limitsOfDeployment),
      use: await readUse(table, organization, now()),
    };
  },
);

async function readUse(
  table: Table,
  { id, policies }: Organization,
  now: number,
): Promise<OrganizationUse> {
  const today = dayOf(now);
  const quotas = openDayQuotaStore(table);
  const [days, keys, templates, webhooks, categories, domains, ...ofToday] = await Promise.all([
    openUsageStore(table).readDays(id, { from: today, to: today }),
    openApiKeyStore(table).count(id, now, Infinity),
    openTemplateStore(table).count(id, Infinity),
    countItems(table, webhooksOf(id)),
    countItems(table, categoriesOf(id)),
    countItems(table, identitiesOf(id)),
    quotas.read(id, 'UPLOADS', now),
    quotas.read(id, 'CHANGES', now),
    quotas.read(id, 'CONTACTS', now),
    quotas.read(id, 'WAITING', now),
    quotas.read(id, 'DELIVERIES', now),
    quotas.read(id, 'LINKS', now),
  ]);
  const [uploadBytesPerDay, changesPerDay, contactsPerDay, waitingBytesPerDay, ...others] = ofToday;
  const [requestedDeliveriesPerDay, signInLinksPerDay] = others;
  return {
    recipientsPerDay: sumUsage(days.map(({ counts }) => counts)).recipients,
    apiKeys: keys.valid,
    templates,
    webhooks,
    policies: Object.keys(policies).length,
    categories,
    domains,
    ...{ uploadBytesPerDay, changesPerDay, contactsPerDay, waitingBytesPerDay },
    ...{ requestedDeliveriesPerDay, signInLinksPerDay },
  };
}
