import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { providerListOutcomes } from '#shared/suppressions/lift-suppressions';

/** Path of DELETE /api/v1/suppressions/{email}. */
export const pathSchema = z.object({ email: z.string() });

/** Query of DELETE /api/v1/suppressions/{email}. */
export const querySchema = z.strictObject({
  /** Absent: every reason but `unsubscribe`, which is the person's own will. */
  reason: z.optional(z.enum(suppressionReasons)),
});
export type LiftSuppressionQuery = z.output<typeof querySchema>;

/** Response 200. */
export const responseSchema = z.object({
  lifted: z.array(z.enum(suppressionReasons)),
  /** Why the address still gets no email. */
  remaining: z.array(z.enum(suppressionReasons)),
  /** What became of the address on SES's own list. */
  providerList: z.enum(providerListOutcomes),
});
