import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';

// When a purge begins: `functions/purge-organizations/`. How often it runs: `infra/constructs/pipelines/organization-purge.ts`.

/** A key of the table, as a Scan goes on from it. */
export const tablePlaceSchema = z.object({ pk: z.string(), sk: z.string() });
export type TablePlace = z.infer<typeof tablePlaceSchema>;

/** One pass through the table that removes what these organizations left. */
export const purgeSchema = z.object({
  organizationIds: z.array(organizationIdSchema),
  /** What was passed so far; absent at the beginning. */
  passed: z.optional(tablePlaceSchema),
});
export type Purge = z.infer<typeof purgeSchema>;
