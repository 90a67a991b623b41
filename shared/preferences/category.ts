import * as z from 'zod/mini';

export const categorySchema = z.object({
  key: z.string(),
  name: z.string(),
});
/** A topic of bulk emails. A contact is subscribed until it opts out. */
export type Category = z.infer<typeof categorySchema>;
