import * as z from 'zod/mini';

export const categorySchema = z.object({
  key: z.string(),
  name: z.string(),
});
/** What an organization's bulk emails are about; a contact is subscribed until it says no. */
export type Category = z.infer<typeof categorySchema>;
