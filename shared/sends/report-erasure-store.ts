import { eraseFromRows } from '#shared/contacts/row-erasure-store';
import { erasedFrom } from '#shared/sending/erased-recipients';
import { toSend } from '#shared/sending/send-items';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { getItem } from '#shared/table/read-item';
import { sendKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type FeedbackId, ownPartIn, slotIdIn } from '#shared/tokens/resource-id';
import { rowsBeside } from './send-erasure-store.ts';

type StoredReport = {
  readonly feedbackId: FeedbackId;
  readonly providerMessageId: string;
  readonly identities: readonly string[];
};

export function openReportErasure(table: Table) {
  /**
   * Removes what a report stored about people who were erased from its send since it was read. Call it after the rows
   * are stored: an erasure hides the address in the send first, then looks for rows. If it hides the address before
   * this call reads the send, this call erases the rows; if later, the erasure finds them.
   *
   * If the process dies before this call, the rows stay until the report comes again.
   *
   * @param now reads the clock: a frozen process thaws long after it was called.
   */
  async function eraseFromReport(
    { feedbackId, providerMessageId, identities }: StoredReport,
    now: () => number,
  ): Promise<void> {
    const slotId = slotIdIn(feedbackId);
    const item = await getItem(table, sendKey(slotId));
    const send = item && toSend(item);
    // If the send has expired, or another has taken the slot, everyone counts as erased: the report's rows expire with
    // their own send.
    const isKept = item !== undefined && send?.feedbackId === feedbackId && !isExpired(item, now());
    const erased = isKept ? erasedFrom(send, identities) : identities;
    if (erased.length === 0) return;

    const ownDelivery = `${deliverySortKeyPrefix}${ownPartIn(feedbackId)}`;
    const isOwn = ({ sk }: StoredItem) =>
      typeof sk === 'string' &&
      (sk.startsWith(ownDelivery) || sk.endsWith(`#${providerMessageId}`));
    // An expired row is about to be deleted, like its send, so it needs no erasing.
    const readRows = async () => {
      const rows = await rowsBeside(table, slotId);
      const readAt = now();
      return rows.filter((row) => isOwn(row) && !isExpired(row, readAt));
    };
    const expiresAt = isKept ? undefined : toSeconds(now());
    await eraseFromRows(table, readRows, { identities: erased, expiresAt });
  }

  return { eraseFromReport };
}
