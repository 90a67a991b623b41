import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { eventTypes } from '#shared/events/event';
import { sendStatuses } from '#shared/sending/send';
import { oneEmailAddress } from '#shared/sending/send-fields';
import { exampleSend } from '#shared/sending/send-reference';
import { sendViewSchema } from '#shared/sends/send-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { momentInQuery } from '#shared/timing/moment';
import { apiKeyIdSchema, templateIdSchema } from '#shared/tokens/resource-id';

/** Other services have one word for what we call status and event. */
const statusError = ({ input }: { readonly input?: unknown }): string | undefined =>
  eventTypes.some((type) => type === input)
    ? `must be ${sendStatuses.join(', ')}: what became of a sent email is in its events. GET /api/v1/sends/{id} has them, GET /api/v1/suppressions who bounced or complained`
    : undefined;

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/sends',
  access: { key: 'required', scope: ['read_sends', 'manage_organization'] },
  query: z.strictObject({
    ...pageQueryFields,
    to: z.optional(oneEmailAddress),
    /** Created at or after `from`, and before `until`. */
    from: z.optional(momentInQuery),
    until: z.optional(momentInQuery),
    status: z.optional(z.enum(sendStatuses, { error: statusError })),
    /** The id of a template. */
    template: z.optional(templateIdSchema),
    /** The id of the key that made the last attempt. */
    key: z.optional(apiKeyIdSchema),
  }),
  answers: {
    200: {
      body: z.extend(
        pageSchema(z.extend(sendViewSchema, { apiKeyId: z.optional(apiKeyIdSchema) })),
        {
          /** Every match that was created after this moment is in this page or an earlier one; `null` at the end. */
          lookedUntil: z.nullable(z.int()),
        },
      ),
      description: 'A page of sends.',
      example: {
        data: [{ ...exampleSend, apiKeyId: exampleIds.apiKey }],
        nextCursor: null,
        lookedUntil: null,
      },
    },
  },
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2', 'gsi3'],
  },
  words: {
    section: 'Sends',
    summary: 'List sends',
    description: `The sends of the organization, newest first. A send of the last seconds may be missing.

\`to\`, \`from\` and \`until\` lead straight to their sends. For \`status\`, \`template\` and \`key\` one request looks through 500 sends at most: its page may have fewer entries than \`limit\`, or none, and still a \`nextCursor\`.`,
    fields: {
      to: 'Only sends whose `to` is this address, in any case. Not those that have it in `cc` or `bcc`.',
      from: 'Made then or later: epoch milliseconds, or ISO 8601 such as `2026-11-21T09:00:00Z`. A date alone begins at midnight UTC.',
      until: 'Made earlier, in the same forms.',
      status: 'As the send is now.',
      template: 'The id of a template.',
      key: 'The id of the API key that made the last attempt.',
      lookedUntil:
        'Every match that was made after this moment is in this page or an earlier one. `null` at the end.',
      'data.status':
        '`sending`: an attempt is under way or in doubt. `sent`: SES took it. `suppressed`: no email went out. `failed`: see `failureReason`.',
      'data.createdAt': 'When the send was made, in epoch milliseconds.',
      'data.attempts': 'The attempts that failed before this state, oldest first.',
      'data.attempts.at': 'When the failure was known, in epoch milliseconds.',
      'data.attempts.reason': 'SES’s name for the failure, for example `MessageRejected`, or ours.',
      apiKeyId: 'The API key that made the last attempt.',
    },
    example: { query: { to: 'ann@example.com', status: 'sent', limit: '1' } },
  },
});
