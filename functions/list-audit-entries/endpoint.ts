import * as z from 'zod/mini';
import { auditEntrySchema } from '#shared/audit/audit-entry';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/audit',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject(pageQueryFields),
  answers: {
    200: {
      body: pageSchema(auditEntrySchema),
      description: 'A page of entries.',
      example: {
        data: [
          {
            id: exampleIds.auditEntry,
            at: exampleTime,
            actor: exampleIds.apiKey,
            action: 'api_key.updated',
            target: exampleIds.apiKey,
            before: { perMinuteCap: 60 },
            after: { perMinuteCap: 120 },
          },
        ],
        nextCursor: null,
      },
    },
  },
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Organization',
    summary: 'List what was changed, and by whom',
    description:
      'Newest first. Every change of what the organization has leaves an entry, which is stored together with the change. So does each sign-in, sign-out, sign-in link and export. No entry has a secret or an address.',
    fields: {
      'data.id': 'The id of the entry.',
      at: 'When it was changed, in epoch milliseconds.',
      actor:
        'The API key that changed it, or `operator`, or `notice_email`: somebody who followed the link that was mailed to the address for notices.',
      session: 'The session of the console that the key was used in, if it was. It is no secret.',
      action: 'What was changed and how, for example `api_key.created`.',
      target: 'The id or key of what was changed.',
      before: 'The values that differ, as they were.',
      after: 'The values that differ, as they are.',
    },
    example: { query: { limit: '20' } },
  },
});

export type ListAuditEntriesQuery = z.infer<typeof endpoint.query>;
