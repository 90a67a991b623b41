import * as z from 'zod/mini';
import { eventTypes } from '#shared/events/event';
import { sendStatuses } from '#shared/sending/send';
import { oneEmailAddress } from '#shared/sending/send-fields';
import { sendViewSchema } from '#shared/sends/send-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { momentInQuery } from '#shared/timing/moment';
import { apiKeyIdSchema, templateIdSchema } from '#shared/tokens/resource-id';

/** Other services have one word for what we call status and event. */
const statusError = ({ input }: { readonly input?: unknown }): string | undefined =>
  eventTypes.some((type) => type === input)
    ? `must be ${sendStatuses.join(', ')}: what became of a sent email is in its events. GET /api/v1/sends/{id} has them, GET /api/v1/suppressions who bounced or complained`
    : undefined;

/** Query of GET /api/v1/sends. */
export const querySchema = z.strictObject({
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
});
export type ListSendsQuery = z.output<typeof querySchema>;

/**
 * Response 200, newest first. With `status`, `template` or `key` a page may have fewer sends than the limit,
 * or none, and still a `nextCursor`: one request looks at 500 sends at most.
 */
export const responseSchema = z.extend(
  pageSchema(z.extend(sendViewSchema, { apiKeyId: z.optional(apiKeyIdSchema) })),
  {
    /** Every match that was created after this moment is in this page or an earlier one; `null` at the end. */
    lookedUntil: z.nullable(z.int()),
  },
);
