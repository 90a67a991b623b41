import { publishCount } from '#shared/observability/metrics';
import { expiryAfter } from '#shared/table/expiry';
import { noticeCountKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import type { ApiKeyId } from '#shared/tokens/resource-id';
import type { Notice } from './notice.ts';
import { countOfDay, putNotice } from './notice-store.ts';
import { maxSignInEmailsPerDay } from './people-notice.ts';

/** Does nothing but count it, once the person has been mailed enough links today. */
export async function fileSignInNotice(table: Table, id: ApiKeyId, notice: Notice): Promise<void> {
  const key = noticeCountKey(notice.organizationId, `SIGN_INS#${id}`, notice.day);
  const outcome = await transactWrite(table, [
    countOfDay(key, maxSignInEmailsPerDay, expiryAfter(notice.at, countedDays)),
    putNotice(notice),
  ]);
  if (!outcome.committed) publishCount('NoticeNotFiled', { cause: notice.cause });
}

const countedDays = 1;
