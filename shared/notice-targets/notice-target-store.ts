import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putAuditEntry } from '#shared/audit/audit-store';
import { maxPerDayOf, type Notice, oppositeOf } from '#shared/notices/notice';
import { countOfDay, putNotice } from '#shared/notices/notice-store';
import {
  anyOf,
  is,
  isAbsent,
  isBelow,
  isNew,
  onlyIf,
  updateIf,
} from '#shared/table/conditional-update';
import { noticeCountKey, noticeTargetsKey, organizationKey } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { requireItem, transactWrite, writeIf } from '#shared/table/writes';
import type { OrganizationId } from '#shared/tokens/resource-id';
import {
  isSamePlace,
  type NoticeTarget,
  noticeTargetSchema,
  type TargetState,
  targetStateSchema,
} from './notice-target.ts';

/**
 * One item per organization: its targets, and for each an attribute with what came of its last notices,
 * which `send-notices` writes on its own.
 */
const targetsSchema = z.object({
  targets: z.record(z.string(), noticeTargetSchema),
  /** Counts the changes of `targets`; each names the count that it read. */
  version: z.int(),
});
export type NoticeTargets = z.infer<typeof targetsSchema> & {
  readonly states: ReadonlyMap<string, TargetState>;
};

/** Names of attributes have no hyphens (`updateIf`), and keys no capitals. */
const stateOf = (key: string): string => `state_${key.replaceAll('-', 'D')}`;

const none: NoticeTargets = { targets: {}, version: 0, states: new Map() };

/** A key comes from a path: `constructor` names no target. */
export const targetIn = (
  { targets }: Pick<NoticeTargets, 'targets'>,
  key: string,
): NoticeTarget | undefined => (Object.hasOwn(targets, key) ? targets[key] : undefined);

export async function readTargets(
  table: Table,
  organizationId: OrganizationId,
): Promise<NoticeTargets> {
  const item = await getItem(table, noticeTargetsKey(organizationId));
  if (item === undefined) return none;
  const stored = readItem('notice targets', targetsSchema, item);
  const states = Object.keys(stored.targets).flatMap((key) => {
    const state = item[stateOf(key)];
    return state === undefined
      ? []
      : [[key, readItem('notice targets', targetStateSchema, state)] as const];
  });
  return { ...stored, states: new Map(states) };
}

/** Requires that nobody has changed them since they were read, and that the organization exists. */
export async function replaceTargets(
  table: Table,
  organizationId: OrganizationId,
  before: NoticeTargets,
  targets: NoticeTargets['targets'],
  entry: AuditEntry,
): Promise<'stored' | 'changed_meanwhile'> {
  const moved = Object.entries(before.targets).flatMap(([key, was]) => {
    const now = targetIn({ targets }, key);
    return now !== undefined && isSamePlace(was, now) ? [] : [stateOf(key)];
  });
  const isAsRead = before.version === 0 ? isAbsent('version') : is('version', before.version);
  const outcome = await transactWrite(table, [
    {
      Update: updateIf(
        noticeTargetsKey(organizationId),
        { set: { targets, version: before.version + 1 }, remove: moved },
        [isAsRead],
      ),
    },
    requireItem(organizationKey(organizationId)),
    putAuditEntry(entry),
  ]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

/** Changes nothing if the targets have changed since they were read: it may be another place by now. */
export async function recordTargetState(
  table: Table,
  organizationId: OrganizationId,
  key: string,
  { version }: Pick<NoticeTargets, 'version'>,
  state: TargetState,
): Promise<void> {
  const update = updateIf(noticeTargetsKey(organizationId), { set: { [stateOf(key)]: state } }, [
    is('version', version),
  ]);
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
}

/**
 * Files a copy of the notice for each target, once: they're tried apart from the email and from each other. A notice
 * that has copies keeps those, unless it has come again and has an opposite. A day has as many notices to all targets together as by email.
 */
export async function fileForTargets(
  table: Table,
  notice: Notice,
  keys: readonly string[],
): Promise<'filed' | 'known' | 'over_limit'> {
  const hasOpposite = oppositeOf(notice.cause) !== undefined;
  const isUnknown = hasOpposite ? anyOf(isNew, isBelow('at', notice.at)) : isNew;
  const outcome = await transactWrite(table, [
    ...keys.map((target) => {
      const { Put } = putNotice({ ...notice, target, attempts: 0 });
      return { Put: { ...Put, ...onlyIf(isUnknown) } };
    }),
    countOfDay(
      noticeCountKey(notice.organizationId, 'TARGETED', notice.day),
      maxPerDayOf(notice.cause),
      notice.expiresAt,
    ),
  ]);
  if (outcome.committed) return 'filed';
  return keys.some((_, index) => outcome.conditions[index]?.failed) ? 'known' : 'over_limit';
}
