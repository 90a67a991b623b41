import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { exampleIds } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';

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

export const endpoint = defineEndpoint({
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
      'Newest organization first, also those without use. Deleted organizations are left out. Figures lag by about a minute. `manage usage cost` makes costs of it.',
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
});
