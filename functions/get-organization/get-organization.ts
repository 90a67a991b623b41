import * as z from 'zod/mini';
import { countApiKeys } from '#shared/access/api-key-store';
import { readRequestQuota } from '#shared/access/request-quota-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { organizationPath } from '#shared/endpoints/resource-paths';
import { findOrganization } from '#shared/organizations/change-organization';
import {
  limitsViewSchema,
  type OrganizationUse,
  toLimitsView,
  useViewSchema,
} from '#shared/organizations/limits-view';
import type { Organization } from '#shared/organizations/organization';
import {
  exampleLimits,
  exampleOrganization,
  exampleUse,
  limitFields,
} from '#shared/organizations/organization-reference';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { categoriesOf, identitiesOf, webhooksOf } from '#shared/table/keys';
import { countItems } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { countTemplates } from '#shared/templates/template-store';
import { dayOf } from '#shared/timing/day';
import { exampleIds } from '#shared/tokens/example-values';
import { sumUsage } from '#shared/usage/usage-counts';
import { readUsageDays } from '#shared/usage/usage-store';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organizations/{id}',
    access: 'operator_secret',
    ...organizationPath,
    answers: {
      200: {
        body: z.extend(organizationViewSchema, {
          limits: limitsViewSchema,
          use: useViewSchema,
        }),
        description: 'The organization.',
        example: { ...exampleOrganization, limits: exampleLimits, use: exampleUse },
      },
    },
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Operator',
      summary: 'Read an organization',
      description:
        'With its limits and what it uses of them. Today’s recipients lag by about a minute.',
      fields: limitFields,
      example: { path: { id: exampleIds.organization } },
    },
  },
  async ({ path: { id } }, { table, limitsOfDeployment, now }) => {
    const organization = await findOrganization(table, id);
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
  const [days, keys, templates, webhooks, categories, domains, ...ofToday] = await Promise.all([
    readUsageDays(table, id, { from: today, to: today }),
    countApiKeys(table, id, now, Infinity),
    countTemplates(table, id, Infinity),
    countItems(table, webhooksOf(id)),
    countItems(table, categoriesOf(id)),
    countItems(table, identitiesOf(id)),
    readRequestQuota(table, id, 'UPLOADS', now),
    readRequestQuota(table, id, 'CHANGES', now),
    readRequestQuota(table, id, 'CONTACTS', now),
    readRequestQuota(table, id, 'WAITING', now),
    readRequestQuota(table, id, 'DELIVERIES', now),
    readRequestQuota(table, id, 'LINKS', now),
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
    uploadBytesPerDay,
    changesPerDay,
    contactsPerDay,
    waitingBytesPerDay,
    requestedDeliveriesPerDay,
    signInLinksPerDay,
  };
}
