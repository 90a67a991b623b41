import * as z from 'zod/mini';

// A change of the table, and its values, as DynamoDB's stream has them (DynamoDB Streams API reference,
// "StreamRecord").

const textSchema = z.object({ S: z.string() });
export const text = z.pipe(
  textSchema,
  z.transform(({ S }) => S),
);

const numberUpTo = (most: number) =>
  z.pipe(
    z.pipe(
      z.object({ N: z.string() }),
      z.transform(({ N }) => Number(N)),
    ),
    z.int().check(z.nonnegative(), z.lte(most)),
  );
export const number = numberUpTo(Number.MAX_SAFE_INTEGER);
/** Until the end of the year 9999: later months need more than seven characters. */
export const moment = numberUpTo(253_402_300_799_999);

const image = z.optional(z.record(z.string(), z.unknown()));

export const changeSchema = z.object({
  dynamodb: z.object({
    /** A JavaScript number holds fewer digits. */
    SequenceNumber: z.string().check(z.regex(/^\d{1,40}$/)),
    /** Epoch seconds. */
    ApproximateCreationDateTime: z.optional(z.number()),
    Keys: z.object({ pk: textSchema, sk: textSchema }),
    NewImage: image,
    OldImage: image,
  }),
});
export type Change = z.output<typeof changeSchema>['dynamodb'];
