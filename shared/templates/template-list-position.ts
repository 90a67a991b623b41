import * as z from 'zod';
import { templateIdSchema } from '#shared/tokens/resource-id';

const positionSchema = z.object({
  createdAt: z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER),
  id: templateIdSchema,
});
/** A place in an organization's list of templates. */
export type ListPosition = z.infer<typeof positionSchema>;

/** Reads a sort key of the list's index. */
export function positionIn(sortKey: string): ListPosition {
  const [createdAt, id] = sortKey.split('#');
  return positionSchema.parse({ createdAt, id });
}

/** A position as callers get it and give it back: opaque to them. */
export const toCursor = ({ createdAt, id }: ListPosition): string =>
  Buffer.from(`${createdAt}#${id}`).toString('base64url');

/** A cursor in a request. */
export const cursorSchema = z.string().transform((cursor, context): ListPosition => {
  const [createdAt, id] = Buffer.from(cursor, 'base64url').toString().split('#');
  const position = positionSchema.safeParse({ createdAt, id });
  if (position.success) return position.data;
  context.addIssue('is no cursor: take nextCursor of an earlier answer as it is');
  return z.NEVER;
});
