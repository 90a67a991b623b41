import * as z from 'zod/mini';

/**
 * The schema of a position in a list by time, which is the sort key of the list's index: a time
 * (`sortableTime`) and an id of the given schema.
 */
export const listPositionOf = (idSchema: z.ZodMiniType) =>
  z.string().check(
    z.regex(/^\d{15}#/),
    z.refine((text) => idSchema.safeParse(idAt(text)).success),
  );

/** Epoch milliseconds. */
export const timeAt = (position: string): number => Number(position.slice(0, 15));

export const idAt = (position: string): string => position.slice(16);

/** A position as callers hold it: opaque text that marks the end of a page they have read. */
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

/** The cursor of the next page, as a list answers it: `null` at the end. */
export const nextCursorOf = (next: string | undefined): string | null =>
  next === undefined ? null : toCursor(next);

/** The query of an endpoint that answers a list in pages. */
export const pageQueryFields = <Position>(positionSchema: z.ZodMiniType<Position>) => ({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(cursorOf(positionSchema)),
});

/** Response 200 of such an endpoint. */
export const pageSchema = <Entry extends z.ZodMiniType>(entrySchema: Entry) =>
  z.object({ data: z.array(entrySchema), nextCursor: z.nullable(z.string()) });
