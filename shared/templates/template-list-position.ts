import * as z from 'zod/mini';
import { templateIdSchema } from '#shared/tokens/resource-id';

const positionSchema = z.object({
  createdAt: z.coerce.number().check(z.int(), z.nonnegative(), z.lte(Number.MAX_SAFE_INTEGER)),
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
export const cursorSchema = z.pipe(
  z.string(),
  z.transform((cursor, context): ListPosition => {
    const [createdAt, id] = Buffer.from(cursor, 'base64url').toString().split('#');
    const position = positionSchema.safeParse({ createdAt, id });
    if (position.success) return position.data;
    const message = 'is no cursor: take nextCursor of an earlier answer as it is';
    context.issues.push({ code: 'custom', message, input: cursor });
    return z.NEVER;
  }),
);
