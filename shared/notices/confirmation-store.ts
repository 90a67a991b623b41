import { publishCount } from '#shared/observability/metrics';
import type { Organization } from '#shared/organizations/organization';
import { confirmationCountKey, noticeCountKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { maxConfirmationsPerDay, newConfirmationRequest } from './confirmation.ts';
import { countOfDay, putNotice } from './notice-store.ts';

/**
 * Does nothing if the organization, or all organizations together for this mailbox, have asked often enough today.
 */
export async function requestConfirmation(
  table: Table,
  organization: Organization,
  now: number,
): Promise<'filed' | 'too_many'> {
  const notice = newConfirmationRequest(organization, now);
  const { id, noticeEmail = '' } = organization;
  const keys = [
    noticeCountKey(id, 'CONFIRMATIONS', notice.day),
    confirmationCountKey(mailboxOf(noticeEmail), notice.day),
  ];
  const outcome = await transactWrite(table, [
    ...keys.map((key) => countOfDay(key, maxConfirmationsPerDay, notice.expiresAt)),
    putNotice(notice),
  ]);
  return outcome.committed ? 'filed' : 'too_many';
}

/** Runs beside a stored change, which it can't make fail: the manager may ask again. */
export async function requestConfirmationBeside(
  table: Table,
  organization: Organization,
  now: number,
): Promise<void> {
  try {
    await requestConfirmation(table, organization, now);
  } catch {
    publishCount('NoticeNotFiled', { cause: 'confirmation' });
  }
}

/** Many providers ignore dots and what follows a plus, so addresses that differ only in these count as one. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).split('+');
  return `${name.replaceAll('.', '')}${address.slice(at)}`.toLowerCase();
}
