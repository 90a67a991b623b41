import * as z from 'zod/mini';
import { organizationIdSchema } from '#shared/tokens/resource-id';

/** What is known of an organization that was deleted, as long as anything of it may be left. */
export const deletedOrganizationSchema = z.object({
  id: organizationIdSchema,
  name: z.string(),
  deletedAt: z.int(),
});
export type DeletedOrganization = z.infer<typeof deletedOrganizationSchema>;
