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

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.pipe(text, z.enum(words));

export const lengthOfList = z.optional(
  z.pipe(
    z.object({ L: z.array(z.unknown()) }),
    z.transform(({ L }) => L.length),
  ),
);

export const listOfTexts = z.pipe(
  z.object({ L: z.array(text) }),
  z.transform(({ L }) => L),
);

/** A send's tags, as `name:value`. */
export const tagsOfMap = z.pipe(
  z.object({ M: z.record(z.string(), text) }),
  z.transform(({ M }) => Object.entries(M).map(([name, value]) => `${name}:${value}`)),
);

/** They have 21 digits or more. */
export const maxSequenceDigits = 40;

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

const expirySchema = z.object({ expiresAt: number });

/** A frozen process may store something again after DynamoDB deleted it. */
export function isStoredLate({ NewImage, ApproximateCreationDateTime: storedAt }: Change): boolean {
  const expiresAt = expirySchema.safeParse(NewImage).data?.expiresAt;
  return storedAt !== undefined && expiresAt !== undefined && expiresAt <= storedAt;
}
