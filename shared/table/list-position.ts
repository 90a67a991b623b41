import * as z from 'zod/mini';

/**
 * Where something stands in a list by time, as the sort key of the list's index says it: its time
 * (`sortableTime`), and the id of this schema.
 */
export const listPositionOf = (idSchema: z.ZodMiniType) =>
  z.string().check(
    z.regex(/^\d{15}#/),
    z.refine((text) => idSchema.safeParse(idAt(text)).success),
  );

/** Epoch milliseconds. */
export const timeAt = (position: string): number => Number(position.slice(0, 15));

export const idAt = (position: string): string => position.slice(16);

/** A position as callers hold it: opaque, the end of a page that they have read. */
export const toCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** A cursor in a request, as the position it stands for. */
export const cursorOf = <Position>(positionSchema: z.ZodMiniType<Position>) =>
  z.pipe(
    z.string(),
    z.transform((cursor, context): Position => {
      const position = positionSchema.safeParse(Buffer.from(cursor, 'base64url').toString());
      if (position.success) return position.data;
      const message = 'is no cursor: take nextCursor of an earlier answer as it is';
      context.issues.push({ code: 'custom', message, input: cursor });
      return z.NEVER;
    }),
  );
