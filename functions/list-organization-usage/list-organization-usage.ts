import * as z from 'zod/mini';
import { knowsSesPricePlan } from '#shared/aws/settings';
import { sesPricePlans } from '#shared/config/ses-prices';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { limitsInForce } from '#shared/organizations/limits-in-force';
import {
  findOrganizations,
  lookedAt,
  organizationPositionSchema,
  readOrganizationPage,
} from '#shared/organizations/organization-store';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import type { Table } from '#shared/table/table-client';
import type { Day } from '#shared/timing/day';
import { inParallel } from '#shared/timing/in-parallel';
import { exampleIds } from '#shared/tokens/example-values';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { type Month, monthOf, monthOfDay } from '#shared/usage/month';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { readUsageCounts, readUsageDays } from '#shared/usage/usage-store';
import { messagesOf } from '#shared/usage/webhook-messages';

const month = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month, as YYYY-MM' }));

const day = z.string().check(
  z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, {
    error: 'must be a day, as YYYY-MM-DD',
  }),
);

const counted = {
  sends: z.int(),
  recipients: z.int(),
  attachments: z.int(),
  attachmentBytes: z.int(),
  webhookMessages: z.int(),
  bouncedRecipients: z.int(),
  complainedRecipients: z.int(),
};

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organization-usage',
    access: 'operator',
    query: z
      .strictObject({
        ...pageQueryFields,
        month: z.optional(month),
        day: z.optional(day),
        search: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(100))),
      })
      .check(
        z.refine(({ month, day }) => month === undefined || day === undefined, {
          error: 'can’t be combined with month: ask for one of them',
          path: ['day'],
        }),
      ),
    answers: {
      200: {
        body: z.extend(
          pageSchema(
            z.object({
              organizationId: organizationIdSchema,
              name: z.string(),
              paused: z.boolean(),
              recipientsPerDay: z.nullable(z.int()),
              month,
              day: z.optional(day),
              ...counted,
            }),
          ),
          { sesPricePlan: z.enum(sesPricePlans) },
        ),
        description: 'A page of organizations, with what each used in the month or on the day.',
        example: {
          data: [
            {
              organizationId: exampleIds.organization,
              name: 'Example Ltd',
              paused: false,
              recipientsPerDay: 10_000_000,
              month: '2026-11',
              sends: 120,
              recipients: 134,
              attachments: 4,
              attachmentBytes: 36_000_000,
              webhookMessages: 240,
              bouncedRecipients: 2,
              complainedRecipients: 0,
            },
          ],
          nextCursor: null,
          sesPricePlan: 'essentials',
        },
      },
    },
    uses: { sesPricePlan: knowsSesPricePlan },
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'BatchGetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Operator',
      summary: 'Read what each organization used',
      description:
        'Newest organization first, also those without use. Deleted organizations are left out. Figures lag by about a minute. `manage usage cost` turns it into costs.',
      fields: {
        organizationId: 'The organization.',
        paused: 'Whether its sends are refused.',
        recipientsPerDay:
          'How many recipients it may have on a day: its limit in force. `null` if there is none.',
        month:
          'As `YYYY-MM`, in UTC. The current month if absent; of the day if that was asked for.',
        day: 'Instead of a month, as `YYYY-MM-DD`, in UTC.',
        search: `Only organizations with this in their names, in any case. A page looks at ${lookedAt} organizations at most, so it may have fewer entries, or none, and still a cursor for the rest.`,
        sesPricePlan: 'The deployment’s price plan of SES, for costs.',
        bouncedRecipients: 'Recipients whose email bounced for good.',
        complainedRecipients: 'Recipients who complained.',
        sends: 'Emails that SES accepted.',
        recipients: 'Their recipients: to, cc and bcc. SES bills by this figure.',
        attachments: 'Files in these emails.',
        attachmentBytes: 'Their decoded size.',
        webhookMessages:
          'An estimate: the month’s events of these emails, for each webhook that wants them today, whatever its tags and templates.',
      },
      example: { query: { month: '2026-11', limit: '20' } },
    },
  },
  // Each organization on the page costs one query.
  async ({ caller: owner, query }, { table, now, limitsOfDeployment, sesPricePlan }) => {
    const { limit, cursor, day, search } = query;
    const month = day === undefined ? (query.month ?? monthOf(now())) : monthOfDay(day);
    const scope = { list: 'organization-usage', owner, filters: { month, day, search } };
    const before = unsealCursor(cursor, organizationPositionSchema, scope);
    const page =
      search === undefined
        ? await readOrganizationPage(table, { before, limit })
        : await findOrganizations(table, { before, limit }, search);
    const counted = new Map<OrganizationId, UsageCounts>();
    await inParallel(page.organizations, readsAtATime, async ({ id }) => {
      counted.set(id, await readCounts(table, id, { month, day }));
    });
    const data = page.organizations.map(({ id, name, paused, webhooks, limits }) => {
      const counts = counted.get(id) ?? sumUsage([]);
      const { sends, recipients, attachments, attachmentBytes } = counts;
      const { bouncedRecipients, complainedRecipients } = counts;
      return {
        organizationId: id,
        name,
        paused,
        recipientsPerDay: limitsInForce(limits, limitsOfDeployment)('recipientsPerDay') ?? null,
        month,
        ...(day !== undefined && { day }),
        ...{ sends, recipients, attachments, attachmentBytes },
        webhookMessages: messagesOf(counts, webhooks),
        ...{ bouncedRecipients, complainedRecipients },
      };
    });
    return { data, nextCursor: sealCursor(page.next, scope), sesPricePlan };
  },
);

async function readCounts(
  table: Table,
  id: OrganizationId,
  { month, day }: { readonly month: Month; readonly day: Day | undefined },
): Promise<UsageCounts> {
  if (day === undefined) return readUsageCounts(table, id, month);
  return sumUsage(
    (await readUsageDays(table, id, { from: day, to: day })).map(({ counts }) => counts),
  );
}

/** Each read holds a page of items in memory. */
const readsAtATime = 8;
