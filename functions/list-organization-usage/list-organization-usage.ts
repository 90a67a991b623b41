import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  organizationPositionSchema,
  readOrganizationPage,
} from '#shared/organizations/organization-store';
import {
  type WebhookEventType,
  type WebhookSubscriptions,
  wantsEvent,
} from '#shared/organizations/webhook-subscriptions';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { inParallel } from '#shared/timing/in-parallel';
import { exampleIds } from '#shared/tokens/example-values';
import { type OrganizationId, organizationIdSchema } from '#shared/tokens/resource-id';
import { monthOf } from '#shared/usage/month';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { readUsageCounts } from '#shared/usage/usage-store';

const month = z
  .string()
  .check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'must be a month, as YYYY-MM' }));

const counted = {
  sends: z.int(),
  recipients: z.int(),
  attachments: z.int(),
  attachmentBytes: z.int(),
  webhookMessages: z.int(),
};

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organization-usage',
    access: 'operator_secret',
    query: z.strictObject({ ...pageQueryFields, month: z.optional(month) }),
    answers: {
      200: {
        body: pageSchema(
          z.object({ organizationId: organizationIdSchema, name: z.string(), month, ...counted }),
        ),
        description: 'A page of organizations, with what each used in the month.',
        example: {
          data: [
            {
              organizationId: exampleIds.organization,
              name: 'Example Ltd',
              month: '2026-11',
              sends: 120,
              recipients: 134,
              attachments: 4,
              attachmentBytes: 36_000_000,
              webhookMessages: 240,
            },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: {
      stack: 'Organizations',
      tableActions: ['BatchGetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Operator',
      summary: 'Read what each organization used',
      description:
        'Newest organization first, also those without use. Deleted organizations are left out. Figures lag by about a minute. `manage usage cost` turns it into costs.',
      fields: {
        organizationId: 'The organization.',
        month: 'As `YYYY-MM`, in UTC. The current month if absent.',
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
  async ({ caller: owner, query: { limit, cursor, month: asked } }, { table, now }) => {
    const month = asked ?? monthOf(now());
    const scope = { list: 'organization-usage', owner, filters: { month } };
    const before = unsealCursor(cursor, organizationPositionSchema, scope);
    const page = await readOrganizationPage(table, { before, limit });
    const counted = new Map<OrganizationId, UsageCounts>();
    await inParallel(page.organizations, readsAtATime, async ({ id }) => {
      counted.set(id, await readUsageCounts(table, id, month));
    });
    const data = page.organizations.map(({ id, name, webhooks }) => {
      const counts = counted.get(id) ?? sumUsage([]);
      const { sends, recipients, attachments, attachmentBytes } = counts;
      const webhookMessages = messagesOf(counts, webhooks);
      const used = { sends, recipients, attachments, attachmentBytes, webhookMessages };
      return { organizationId: id, name, month, ...used };
    });
    return { data, nextCursor: sealCursor(page.next, scope) };
  },
);

/** Each read holds a page of items in memory. */
const readsAtATime = 8;

const countedEvents = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;

/** Deliveries aren't counted, as that would cost a write for each. Filters aren't known here, so it may be too many. */
const messagesOf = (counts: UsageCounts, subscriptions: WebhookSubscriptions): number =>
  countedEvents
    .map((event) => {
      const type: WebhookEventType = `email.${event}`;
      const wanting = Object.values(subscriptions).filter(({ eventTypes }) =>
        wantsEvent({ eventTypes }, type, undefined),
      );
      return counts[event] * wanting.length;
    })
    .reduce((sum, messages) => sum + messages, 0);
