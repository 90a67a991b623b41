import type { ContactListStore } from '#shared/contacts/contact-list-store';
import { inParallel } from '#shared/timing/in-parallel';
import { type TableStreamEvent, unlistedContactSchema } from './schema.ts';

// How often it runs, and how much it gets at a time: `infra/constructs/pipelines/table-stream-settings.ts`.

/** A write takes milliseconds. */
const writesAtATime = 20;

/**
 * Puts the new contacts of a batch into their organizations' lists. Repeating a batch changes nothing.
 *
 * @throws what DynamoDB throws. Lambda then gives the whole batch again.
 */
export async function indexContacts(
  { Records }: TableStreamEvent,
  contacts: Pick<ContactListStore, 'index'>,
): Promise<void> {
  const unlisted = Records.flatMap((record) => {
    const contact = unlistedContactSchema.safeParse(record).data?.dynamodb.NewImage;
    return contact === undefined ? [] : [contact];
  });
  const addresses = new Map(unlisted.map(({ id, email }) => [id.S, email.S]));
  await inParallel([...addresses], writesAtATime, ([id, address]) => contacts.index(id, address));
}
