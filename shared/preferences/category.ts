import * as z from 'zod/mini';

export const categorySchema = z.object({
  key: z.string(),
  name: z.string(),
});
/** A topic of an organization's bulk emails. A contact is subscribed until it says no. */
export type Category = z.infer<typeof categorySchema>;
