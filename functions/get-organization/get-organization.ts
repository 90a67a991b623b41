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

const figuresOfToday = {
  sends: z.int(),
  delivered: z.int(),
  bouncedRecipients: z.int(),
  complainedRecipients: z.int(),
};
type FiguresOfToday = Readonly<Record<keyof typeof figuresOfToday, number>>;

const exampleToday = { sends: 120, delivered: 117, bouncedRecipients: 2, complainedRecipients: 0 };

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organizations/{id}',
    access: 'operator',
    ...organizationPath,
    answers: {
      200: {
        body: z.extend(organizationViewSchema, {
          limits: limitsViewSchema,
          use: useViewSchema,
          today: z.object(figuresOfToday),
        }),
        description: 'The organization.',
        example: {
          ...exampleOrganization,
          limits: exampleLimits,
          use: exampleUse,
          today: exampleToday,
        },
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
      fields: {
        ...limitFields,
        today: 'The figures of the current UTC day, about a minute behind.',
        sends: 'Emails that SES accepted.',
        delivered: 'Emails that were delivered.',
        bouncedRecipients: 'Recipients whose email bounced for good.',
        complainedRecipients: 'Recipients who complained.',
      },
      example: { path: { id: exampleIds.organization } },
    },
  },
  async ({ path: { id } }, { table, limitsOfDeployment, now }) => {
    const organization = await findOrganization(table, id);
    return {
      ...organization,
      limits: toLimitsView(organization.limits, limitsOfDeployment),
      ...(await readUse(table, organization, now())),
    };
  },
);

async function readUse(
  table: Table,
  { id, policies }: Organization,
  now: number,
): Promise<{ readonly use: OrganizationUse; readonly today: FiguresOfToday }> {
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
  const counts = sumUsage(days.map(({ counts }) => counts));
  const { sends, delivered, bouncedRecipients, complainedRecipients } = counts;
  const ofDay = { sends, delivered, bouncedRecipients, complainedRecipients };
  const use = {
    recipientsPerDay: counts.recipients,
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
  return { use, today: ofDay };
}
