import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  anyOf,
  type Change,
  type Clause,
  is,
  isAbsent,
  isNot,
  isPresent,
  updateIf,
} from '#shared/table/conditional-update';
import { leaveDueIndex } from '#shared/table/due-index';
import { isExpired } from '#shared/table/expiry';
import {
  afterDueOf,
  beforeAllDue,
  dueNoticeIndexKey,
  dueNoticesPartition,
  noticeCountKey,
  noticeKey,
  readDueNoticeIndexKey,
} from '#shared/table/keys';
import { batchGet, readItem } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { dayMs, dayOf } from '#shared/timing/day';
import {
  isToPerson,
  keptDays,
  maxPerDayOf,
  type Notice,
  noticeSchema,
  oppositeOf,
} from './notice.ts';
import { countOfDay } from './notice-store.ts';

const entrySchema = z.object({ pk: z.string(), sk: z.string(), gsi1sk: z.string() });
type Entry = z.infer<typeof entrySchema>;

/** Small, because every waiting organization costs a page, however long its backlog. */
export const pageSize = 10;
const dueNotices = { name: dueNoticesPartition };

/** @param after the organization whose notices were read last. */
async function queryDue(
  table: Table,
  after: string | undefined,
): Promise<{ readonly entries: readonly Entry[]; readonly hasMore: boolean }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk > :after',
      ExpressionAttributeValues: {
        ':pk': dueNoticesPartition,
        ':after': after === undefined ? beforeAllDue : afterDueOf(after),
      },
      Limit: pageSize,
    }),
  );
  const entries = Items.map((item) => entrySchema.parse(item));
  return { entries, hasMore: LastEvaluatedKey !== undefined };
}

/** Gets what can't be read: it stays due, and holds up no other notice. */
type OnUnread = (error: unknown) => void;

async function readByOrganization(
  table: Table,
  entries: readonly Entry[],
  now: number,
  onUnread: OnUnread,
): Promise<Iterable<readonly Notice[]>> {
  if (entries.length === 0) return [];
  const itemOf = await batchGet(
    table,
    entries.map(({ pk, sk }) => ({ pk, sk })),
  );
  const notices: Notice[] = [];
  for (const entry of entries) {
    const item = itemOf(entry);
    if (item === undefined) continue;
    try {
      if (isExpired(item, now)) await leaveDueIndex(table, dueNotices, entry, now);
      else notices.push(readItem('notice', noticeSchema, item));
    } catch (error) {
      onUnread(error);
    }
  }
  return Map.groupBy(notices, ({ organizationId }) => organizationId).values();
}

export type NoticeOutcome =
  | 'sent'
  | 'suppressed'
  | 'known'
  /** The organization has no `noticeEmail`, or is gone. */
  | 'unaddressed'
  | 'unconfirmed'
  /** The address to confirm is confirmed already, or has been replaced; or its opposite has come. */
  | 'outdated'
  | 'over_limit'
  /** Of copies for targets. */
  | 'delivered'
  | 'given_up'
  | 'target_gone';

/**
 * Longest waiting first, at most a page per organization. A read skips the rest of the last one, so none waits for
 * another's backlog.
 */
export async function* findDueNotices(
  table: Table,
  now: number,
  onUnread: OnUnread,
): AsyncGenerator<readonly Notice[], void, undefined> {
  let after: string | undefined;
  do {
    const { entries, hasMore } = await queryDue(table, after);
    const positions = entries.flatMap((entry) => {
      try {
        return [{ entry, ...readDueNoticeIndexKey(entry.gsi1sk) }];
      } catch (error) {
        onUnread(error);
        return [];
      }
    });
    const due = positions.filter(({ dueAt }) => dueAt <= now);
    yield* await readByOrganization(
      table,
      due.map(({ entry }) => entry),
      now,
      onUnread,
    );
    // Also after one that can't be read.
    after = hasMore ? entries.at(-1)?.gsi1sk.split('#')[0] : undefined;
  } while (after !== undefined);
}

/** Counts towards the organization's daily emails. Repeated or concurrent attempts count once. */
export async function admitNotice(
  table: Table,
  notice: Notice,
  now: number,
): Promise<'admitted' | 'over_limit'> {
  // Counted when it was asked for.
  if (isToPerson(notice.cause)) return 'admitted';
  const day = dayOf(now);
  const count = noticeCountKey(notice.organizationId, 'SENT', day);
  const isUncounted = anyOf(isAbsent('countedOn'), isNot('countedOn', day));
  const outcome = await transactWrite(table, [
    { Update: updateIf(noticeKey(notice), { set: { countedOn: day } }, [isUncounted]) },
    countOfDay(count, maxPerDayOf(notice.cause), notice.expiresAt),
  ]);
  const isCounted = outcome.committed || outcome.conditions[0]?.failed === true;
  return isCounted ? 'admitted' : 'over_limit';
}

/** The notice stays, marking its cause as reported for the day. */
export async function settleNotice(
  table: Table,
  notice: Notice,
  outcome: NoticeOutcome,
): Promise<void> {
  await updateFiled(table, notice, { set: { outcome }, remove: ['gsi1pk', 'gsi1sk', 'to'] });
}

export async function postponeNotice(table: Table, notice: Notice, dueAt: number): Promise<void> {
  await updateFiled(table, notice, attemptedUntil(notice, dueAt));
}

/**
 * Before an attempt: of several runs at once, one gets it. It's due again even if that run dies.
 *
 * @returns whether this run has it.
 */
export const claimNotice = (table: Table, notice: Notice, dueAt: number): Promise<boolean> =>
  updateFiled(table, notice, attemptedUntil(notice, dueAt), [
    is('attempts', notice.attempts),
    isPresent('gsi1pk'),
  ]);

const attemptedUntil = ({ organizationId, attempts }: Notice, dueAt: number): Change => ({
  set: { attempts: attempts + 1, gsi1sk: dueNoticeIndexKey(organizationId, dueAt).gsi1sk },
});

/** Changes nothing if the notice was filed again in between. */
async function updateFiled(
  table: Table,
  notice: Notice,
  change: Change,
  clauses: readonly Clause[] = [],
): Promise<boolean> {
  const update = updateIf(noticeKey(notice), change, [is('at', notice.at), ...clauses]);
  const { written } = await writeIf(() =>
    table.client.send(new UpdateCommand({ TableName: table.name, ...update })),
  );
  return written;
}

/** Whether its opposite came later, such as the domain's verification after its loss. */
export async function isOvertaken(table: Table, notice: Notice, now: number): Promise<boolean> {
  const cause = oppositeOf(notice.cause);
  if (cause === undefined) return false;
  const days = Array.from({ length: keptDays + 1 }, (_, day) => dayOf(notice.at + day * dayMs));
  const keys = days
    .filter((day) => day <= dayOf(now))
    .map((day) =>
      noticeKey({ organizationId: notice.organizationId, cause, about: notice.about, day }),
    );
  const itemOf = await batchGet(table, keys);
  return keys.some((key) => {
    const item = itemOf(key);
    return item !== undefined && readItem('notice', noticeSchema, item).at > notice.at;
  });
}
