import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** What's kept about a deleted organization while anything of it may remain. */
export const deletedOrganizationSchema = z.object({
  id: organizationIdSchema,
  name: z.string(),
  deletedAt: z.int(),
});
export type DeletedOrganization = z.infer<typeof deletedOrganizationSchema>;
