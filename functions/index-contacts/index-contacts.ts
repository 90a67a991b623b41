import * as z from 'zod/mini';
import { indexContact } from '#shared/contacts/contact-list-store';
import { defineFunction } from '#shared/endpoints/background-function';
import { contactPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import { contactIdSchema } from '#shared/tokens/resource-id';

const tableStreamEventSchema = z.object({ Records: z.array(z.unknown()) });
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

/**
 * A contact that isn't in its organization's list yet (DynamoDB Streams API reference, "StreamRecord"): an erased
 * person has no address, and a listed contact has the keys of the list's index.
 */
const unlistedContactSchema = z.object({
  dynamodb: z.object({
    NewImage: z.object({
      id: z.object({ S: contactIdSchema }),
      email: z.object({ S: z.string().check(z.minLength(1)) }),
      gsi2pk: z.optional(z.undefined()),
    }),
  }),
});

export const backgroundFunction = defineFunction(
  {
    trigger: 'table-stream',
    batch: tableStreamEventSchema,
    failure: 'contacts not indexed',
    lambda: {
      tableActions: ['UpdateItem'],
      onlyPartitions: [contactPartitions],
      timeoutSeconds: 60,
    },
  },
  indexContacts,
);

const writesAtATime = 20;

/**
 * How often it runs: `infra/constructs/pipelines/table-stream-settings.ts`. Repeating a batch changes nothing.
 *
 * @throws what DynamoDB throws. Lambda then delivers the batch again.
 */
export async function indexContacts(
  { Records }: TableStreamEvent,
  { table }: Pick<TableAndClock, 'table'>,
): Promise<void> {
  const unlisted = Records.flatMap((record) => {
    const contact = unlistedContactSchema.safeParse(record).data?.dynamodb.NewImage;
    return contact === undefined ? [] : [contact];
  });
  const addresses = new Map(unlisted.map(({ id, email }) => [id.S, email.S]));
  await inParallel([...addresses], writesAtATime, ([id, address]) =>
    indexContact(table, id, address),
  );
}
