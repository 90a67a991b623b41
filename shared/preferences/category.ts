import * as z from 'zod/mini';
import { ServiceError } from '#shared/errors/service-error';

export const categorySchema = z.object({
  key: z.string(),
  name: z.string(),
});
/** A topic of an organization's bulk emails. A contact is subscribed until it says no. */
export type Category = z.infer<typeof categorySchema>;

/** A page of preferences shows them all. */

export const categoryNotFound = (): ServiceError =>
  new ServiceError('category_not_found', 'The organization has no category with this key.');
