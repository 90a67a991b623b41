import * as z from 'zod/mini';
import { type Contact, type SuppressionReason, suppressionReasons } from '#shared/contacts/contact';
import { toContact } from '#shared/contacts/contact-store';
import { contactKey, suppressionKey, suppressionListPartitions } from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListRange,
  readListEntries,
  readNewerEntries,
} from '#shared/table/list-reader';
import { type Search, type SearchPage, searchList } from '#shared/table/list-search';
import { batchGet, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type ContactId, contactIdSchema, type OrganizationId } from '#shared/tokens/resource-id';
import { type SuppressionCause, suppressionRecordSchema } from './suppression.ts';

const entryIdSchema = z
  .string()
  .check(z.regex(new RegExp(`^(?:${suppressionReasons.join('|')})-con_[a-z2-7]{32}$`)));

export const suppressionPositionSchema =
  listPositionOf(entryIdSchema).brand<'SuppressionPosition'>();
export type SuppressionPosition = z.infer<typeof suppressionPositionSchema>;

/** An index entry. Its suppression may have been lifted since. */
export type SuppressionEntry = { readonly position: SuppressionPosition };

export type Suppression = SuppressionCause & {
  readonly contactId: ContactId;
  readonly email?: string | undefined;
};

const namedBy = ({ position }: SuppressionEntry) => {
  const [reason, contactId] = idAt(position).split('-');
  return {
    reason: z.enum(suppressionReasons).parse(reason),
    contactId: contactIdSchema.parse(contactId),
  };
};

/** BatchGetItem takes 100 keys, and an entry has two: its contact, and the record of its cause. */
const entriesAtOnce = 50;

async function getPart(table: Table, entries: readonly SuppressionEntry[]) {
  const named = entries.map(namedBy);
  const contactIds = [...new Set(named.map(({ contactId }) => contactId))];
  const itemOf = await batchGet(table, [
    ...contactIds.map(contactKey),
    ...named.map(({ contactId, reason }) => suppressionKey(contactId, reason)),
  ]);
  return named.map(({ contactId, reason }) => {
    const contact = itemOf(contactKey(contactId));
    const record = itemOf(suppressionKey(contactId, reason));
    return contact && record && toSuppression(toContact(contact), reason, record);
  });
}

function toSuppression(
  { id: contactId, email }: Contact,
  reason: SuppressionReason,
  record: StoredItem,
): Suppression {
  return { ...readItem('suppression', suppressionRecordSchema, record), contactId, email, reason };
}

type SuppressedContact = {
  readonly contact: Contact | undefined;
  readonly suppressions: readonly Suppression[];
};

const listOf = (
  organizationId: OrganizationId,
  reasons: readonly SuppressionReason[],
): List<SuppressionPosition> => ({
  index: 'gsi2',
  partitions: reasons.flatMap((one) => suppressionListPartitions(organizationId, one)),
  positionSchema: suppressionPositionSchema,
});

/** Newest first; of one reason, or of all. */
function findSuppressionEntries(
  table: Table,
  organizationId: OrganizationId,
  reason: SuppressionReason | readonly SuppressionReason[] | undefined,
  range: ListRange,
): Promise<SuppressionEntry[]> {
  const reasons = reason === undefined ? suppressionReasons : [reason].flat();
  return readListEntries(table, listOf(organizationId, reasons), range);
}

/** Those that are newer than a position and closest to it, newest first. */
export const findNewerSuppressionEntries = (
  table: Table,
  organizationId: OrganizationId,
  reasons: readonly SuppressionReason[],
  range: { readonly after: SuppressionPosition; readonly limit: number },
): Promise<SuppressionEntry[]> => readNewerEntries(table, listOf(organizationId, reasons), range);

/** Up to 100, strongly consistent, in their order. `undefined` for one that was lifted. */
export async function getSuppressions(
  table: Table,
  entries: readonly SuppressionEntry[],
): Promise<(Suppression | undefined)[]> {
  const parts = [entries.slice(0, entriesAtOnce), entries.slice(entriesAtOnce)];
  const read = await Promise.all(parts.map((part) => getPart(table, part)));
  return read.flat();
}

/** Reads the contact and the causes of its suppressions in one strongly consistent call. */
export async function getSuppressedContact(
  table: Table,
  contactId: ContactId,
): Promise<SuppressedContact> {
  const recordKey = (reason: SuppressionReason) => suppressionKey(contactId, reason);
  const itemOf = await batchGet(table, [
    contactKey(contactId),
    ...suppressionReasons.map(recordKey),
  ]);
  const item = itemOf(contactKey(contactId));
  if (item === undefined) return { contact: undefined, suppressions: [] };
  const contact = toContact(item);
  const suppressions = suppressionReasons.flatMap((reason) => {
    const suppressed = contact[reason];
    return suppressed === undefined
      ? []
      : [toSuppression(contact, reason, itemOf(recordKey(reason)) ?? suppressed)];
  });
  return { contact, suppressions };
}

export type ListedSuppression = Suppression & { readonly position: SuppressionPosition };

type SuppressionSelection = Search<SuppressionPosition, Suppression> & {
  readonly reason?: SuppressionReason | readonly SuppressionReason[] | undefined;
};

export const readSuppressions = (
  table: Table,
  organizationId: OrganizationId,
  { reason, ...search }: SuppressionSelection,
): Promise<SearchPage<SuppressionPosition, ListedSuppression>> =>
  searchList<SuppressionPosition, SuppressionEntry, ListedSuppression>(
    {
      find: (before, limit) =>
        findSuppressionEntries(table, organizationId, reason, { before, limit }),
      get: async (entries) => {
        const found = await getSuppressions(table, entries);
        return entries.map(({ position }, index) => {
          const suppression = found[index];
          return suppression && { ...suppression, position };
        });
      },
    },
    search,
  );
