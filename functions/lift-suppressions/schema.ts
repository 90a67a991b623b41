import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { momentInBody } from '#shared/timing/moment';

/** Body of POST /api/v1/suppressions/lift. */
export const requestSchema = z.strictObject({
  /** Suppressed at or after `from`, and before `until`. */
  from: momentInBody,
  until: momentInBody,
  reason: z._default(z.enum(suppressionReasons), 'bounce'),
  /** Words that stand in the diagnostic, in any case. */
  diagnostic: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(1_000))),
  /** Nothing is lifted unless it is `false`. */
  dryRun: z._default(z.boolean(), true),
  cursor: z.exactOptional(z.string()),
});
export type LiftSuppressionsRequest = z.output<typeof requestSchema>;

/** Response 200. */
export const responseSchema = z.object({
  dryRun: z.boolean(),
  /** How many suppressions fit, of those that this request looked at. */
  matched: z.int(),
  /** How many of them it lifted. */
  lifted: z.int(),
  /** How many addresses it took from SES's own list. */
  removedFromProviderList: z.int(),
  /** The newest of those that fit. */
  examples: z.array(suppressionViewSchema),
  /** Where the next request goes on; `null` when all that fit were looked at, or lifted. */
  nextCursor: z.nullable(z.string()),
});
