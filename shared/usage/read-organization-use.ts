import { openApiKeyStore } from '#shared/access/api-key-store';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import type { OrganizationUse } from '#shared/organizations/limits-view';
import type { Organization } from '#shared/organizations/organization';
import { countItems } from '#shared/table/count-items';
import { categoriesOf, identitiesOf, webhooksOf } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { openTemplateStore } from '#shared/templates/template-store';
import { dayOf } from '#shared/timing/day';
import { sumUsage } from './usage-counts.ts';
import { openUsageStore } from './usage-store.ts';

export async function readOrganizationUse(
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
  ]);
  const [uploadBytesPerDay, changesPerDay, contactsPerDay, waitingBytesPerDay] = ofToday;
  return {
    recipientsPerDay: sumUsage(days.map(({ counts }) => counts)).recipients,
    apiKeys: keys.valid,
    templates,
    webhooks,
    policies: Object.keys(policies).length,
    categories,
    domains,
    ...{ uploadBytesPerDay, changesPerDay, contactsPerDay, waitingBytesPerDay },
  };
}
