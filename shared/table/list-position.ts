import * as z from 'zod/mini';

/** The sort key of a list's index: a time (`sortableTime`) and an id. */
export const listPositionOf = (idSchema: z.ZodMiniType) =>
  z.string().check(
    z.regex(/^\d{15}#/),
    z.refine((text) => idSchema.safeParse(idAt(text)).success),
  );

export const timeAt = (position: string): number => Number(position.slice(0, 15));

export const idAt = (position: string): string => position.slice(16);

/** The operation unseals the cursor: see `unsealCursor`. */
export const pageQueryFields = {
  limit: z._default(z.coerce.number<number | string>().check(z.int(), z.gte(1), z.lte(100)), 20),
  cursor: z.optional(z.string()),
};

export const pageSchema = <Entry extends z.ZodMiniType>(entrySchema: Entry) =>
  z.object({ data: z.array(entrySchema), nextCursor: z.nullable(z.string()) });
