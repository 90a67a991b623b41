import * as z from 'zod/mini';
import type { DailyLimit } from '#shared/config/request-quotas';
import { defineFunction } from '#shared/endpoints/background-function';
import type { Service } from '#shared/endpoints/endpoint';
import { UnreadableItemError } from '#shared/errors/unreadable-item';
import { fileNotice } from '#shared/notices/notice-filing';
import { storeNotice } from '#shared/notices/notice-store';
import { countOf, percentOf } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { limitsInForce } from '#shared/organizations/limits-in-force';
import { noticePartitions, usagePartitions } from '#shared/table/keys';
import { isRefusedForGood } from '#shared/table/writes';
import { dayOf } from '#shared/timing/day';
import { inParallel } from '#shared/timing/in-parallel';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { readStreamRecord, type UsageEntry } from '#shared/usage/counted-changes';
import type { DailyUsage } from '#shared/usage/day-counters';
import { isTimeToLook, overFairShare, overShareMs } from '#shared/usage/fair-share';
import { addKeyDay, readKeyDays } from '#shared/usage/key-day-store';
import { keysToLookAt, spikeNotice } from '#shared/usage/key-spikes';
import { readMetricChange } from '#shared/usage/metric-changes';
import { addHourMetrics } from '#shared/usage/metrics-store';
import { tallyHours } from '#shared/usage/metrics-tally';
import { noteDayUse, noteOverShare, readBounds } from '#shared/usage/organization-use-store';
import {
  type LimitUse,
  type QuotaTally,
  quotaNotice,
  quotaPercent,
  tallyQuotas,
} from '#shared/usage/quota-notices';
import { rateNotices } from '#shared/usage/rate-notices';
import { sensitiveNoticeIn } from '#shared/usage/sensitive-changes';
import { addTagUsage } from '#shared/usage/tag-usage-store';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { addUsage, readUsageCounts, readUsageDays } from '#shared/usage/usage-store';
import {
  type KeyDayTally,
  tallyKeyDays,
  tallyUsage,
  type UsageTally,
} from '#shared/usage/usage-tally';

/**
 * Lambda's event for a table's stream with a tumbling window (Lambda guide, "services-ddb-windows"). A window's last
 * event may have no records. Records are parsed one by one, so a bad one doesn't hold up the others.
 */
export const tableStreamEventSchema = z.object({
  shardId: z.string().check(z.minLength(1)),
  Records: z._default(z.array(z.unknown()), []),
});
export type TableStreamEvent = z.output<typeof tableStreamEventSchema>;

export const backgroundFunction = defineFunction(
  {
    trigger: 'table-stream',
    batch: tableStreamEventSchema,
    failure: 'usage not counted',
    lambda: {
      tableActions: ['GetItem', 'UpdateItem', 'Query', 'PutItem'],
      onlyPartitions: [usagePartitions, noticePartitions],
      notesUse: true,
      /** A batch takes well below a second, so a longer run is stuck. */
      timeoutSeconds: 60,
    },
  },
  async (batch, counting, log) => {
    log.bind({ shardId: batch.shardId });
    await countUsage(batch, { ...counting, ...reportsTo(log) });
    // Lambda treats an answer without `state` as a failure, even from a function that keeps none.
    return { state: {} };
  },
);

// How often it runs, and with how much: `infra/constructs/pipelines/table-stream-settings.ts`.

export type UsageCounting = Service & {
  /** Called with an unreadable record's sequence number, if that is legible. */
  readonly reportUnreadable: (sequence: string | undefined) => void;
  /** Called with counts that DynamoDB will always refuse. */
  readonly reportUncounted: (error: unknown, tally: UsageTally) => void;
  /** Called when an organization has used this much of a day's limit, from 80% on. */
  readonly reportQuota: (
    organizationId: OrganizationId,
    limit: DailyLimit,
    percent: number,
  ) => void;
  /** Called when an organization's figures couldn't be read, or its keys' sends couldn't be counted. */
  readonly reportUnwatched: (error: unknown) => void;
};

type Reports = 'reportUnreadable' | 'reportUncounted' | 'reportQuota' | 'reportUnwatched';

/** What goes wrong has a line of the log, and a metric that an alarm watches. */
export const reportsTo = (log: RequestLog): Pick<UsageCounting, Reports> => ({
  reportUnreadable: (sequence) => {
    log.warn('usage record skipped', { sequence }, [countOf('UsageRecordSkipped')]);
  },
  reportUncounted: (error, { organizationId, month, entries }) => {
    const counts = sumUsage(entries.map((entry) => entry.counts));
    const skipped = countOf('UsageRecordSkipped');
    log.error('usage given up', error, { organizationId, month, counts }, [skipped]);
  },
  reportQuota: (organizationId, limit, percent) => {
    const used = percentOf('OrganizationQuotaUsed', percent);
    log.info('day nearly used', { organizationId, limit, percent }, [used]);
  },
  reportUnwatched: (error) =>
    log.error('figures not looked at', error, {}, [countOf('UsageNotWatched')]),
});

/** A write takes milliseconds, and a batch has far fewer organizations than records. */
const writesAtATime = 20;

/**
 * Adds one shard's records to organizations' usage, and stores how much of its limits each has used. Files notices
 * about a rate near SES's limit, a day's limit nearly used up, a key that sends far more than on its usual days, and a
 * change that sends data out.
 *
 * A failed batch holds up every organization behind it. So only three things can fail one: counting months, their tags
 * and hours' metrics; notices about a day's limit, since nothing is counted after it's used up; and notices about a change
 * that sends data out, since no later record repeats it. Even these fail it only for faults that may pass: content that
 * DynamoDB refuses would be refused until the batch is given up. The batch isn't split (`bisectBatchOnError`): repeated records
 * may come in any order (Lambda guide, "services-ddb-windows"), and if a later half were counted first, the earlier one
 * would look like a repeat.
 *
 * @throws AggregateError when a month couldn't be counted or such a notice couldn't be stored. Lambda then delivers the
 *   batch again; months already counted aren't counted twice.
 */
export async function countUsage(
  { shardId, Records }: TableStreamEvent,
  counting: UsageCounting,
): Promise<void> {
  const { reportUnreadable } = counting;
  const entries = Records.flatMap((record) => {
    const reading = readStreamRecord(record);
    if (reading.kind === 'unreadable') reportUnreadable(reading.sequence);
    return reading.kind === 'counts' ? [reading.entry] : [];
  });

  const overShare = overFairShare(recentRecipients(entries, counting.now()));
  const failures: unknown[] = [];
  const pending = [
    ...tallyUsage(entries).map((tally) => async () => {
      const days = await countMonth(shardId, tally, counting);
      if (days === undefined) return;
      await watchRates(tally, counting);
      const use = await watchUse(tally, days, overShare.has(tally.organizationId), counting);
      if (use !== undefined) await tellOfUse(tally.organizationId, use, counting);
    }),
    ...tallyUsage(entries.filter(({ tags = [] }) => tags.length > 0)).map(
      (tally) => () => summarize(() => addTagUsage(counting.table, shardId, tally), counting),
    ),
    ...tallyHours(Records.flatMap(readMetricChange)).map(
      (tally) => () => summarize(() => addHourMetrics(counting.table, shardId, tally), counting),
    ),
    ...tallyKeyDays(entries).map((tally) => () => countKeyDay(shardId, tally, counting)),
    ...tallyQuotas(Records).map((tally) => () => watchQuota(tally, counting)),
    ...Records.flatMap((record) => sensitiveNoticeIn(record) ?? []).map(
      (notice) => () => summarize(() => storeNotice(counting.table, notice), counting),
    ),
  ];
  await inParallel(pending, writesAtATime, (count) =>
    count().catch((error: unknown) => {
      failures.push(error);
    }),
  );
  if (failures.length > 0) throw new AggregateError(failures, 'usage not counted');
}

/** @returns the month's days as this shard has reported them; `undefined` if DynamoDB refuses the count for good. */
async function countMonth(
  shardId: string,
  tally: UsageTally,
  { table, reportUncounted }: UsageCounting,
): Promise<readonly DailyUsage[] | undefined> {
  try {
    return await addUsage(table, shardId, tally);
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    reportUncounted(error, tally);
    return undefined;
  }
}

/** Faults that may pass fail the count, as for a month. What another version stored stays as it is. */
async function summarize(
  count: () => Promise<void>,
  { reportUnwatched }: UsageCounting,
): Promise<void> {
  try {
    await count();
  } catch (error) {
    if (!isRefusedForGood(error) && !(error instanceof UnreadableItemError)) throw error;
    reportUnwatched(error);
  }
}

/** A late batch says nothing about current use. */
const recentMs = 120_000;

function recentRecipients(entries: readonly UsageEntry[], now: number) {
  const recipients = new Map<OrganizationId, number>();
  for (const { organizationId, at, counts } of entries) {
    if (counts.recipients === undefined || now - at > recentMs) continue;
    recipients.set(organizationId, (recipients.get(organizationId) ?? 0) + counts.recipients);
  }
  return recipients;
}

/**
 * Stores the use where the organization's sends read it. Never fails the count.
 *
 * @returns the stored use; `undefined` if it wasn't time to look.
 */
async function watchUse(
  { organizationId, entries }: UsageTally,
  days: readonly DailyUsage[],
  isOverShare: boolean,
  counting: UsageCounting,
): Promise<LimitUse | undefined> {
  const { table, limitsOfDeployment } = counting;
  const now = counting.now();
  const today = dayOf(now);
  const added = useOf(
    sumUsage(entries.filter(({ at }) => dayOf(at) === today).map(({ counts }) => counts)),
  );
  if (added.stored === 0) return undefined;
  try {
    const bounds = await readBounds(table, organizationId);
    if (bounds === undefined) return undefined;
    const isNoted = (bounds.overShareUntil ?? 0) > now + overShareMs / 2;
    if (isOverShare && !isNoted) {
      await noteOverShare(table, organizationId, now + overShareMs);
    }
    const limit = limitsInForce(bounds.limits, limitsOfDeployment)('recipientsPerDay');
    const counted = useOf(
      sumUsage(days.filter(({ day }) => day === today).map((one) => one.counts)),
    );
    const isDue = (name: keyof typeof added) =>
      limit !== undefined && isTimeToLook(added[name], counted[name], limit);
    if (limit === undefined || !(isDue('recipients') || isDue('stored'))) return undefined;
    const parts = await readUsageDays(table, organizationId, { from: today, to: today });
    const read = useOf(sumUsage(parts.map((part) => part.counts)));
    // The read may be older than the count.
    const recipients = Math.max(read.recipients, counted.recipients);
    const stored = Math.max(read.stored, counted.stored);
    await noteDayUse(table, organizationId, { day: today, recipients, stored });
    const used = Math.max(recipients, stored);
    return { limit: 'recipientsPerDay', day: today, used, most: limit };
  } catch (error) {
    counting.reportUnwatched(error);
    return undefined;
  }
}

/** What counts towards the day's limit: recipients, and sends that are stored, delivered or not. */
const useOf = ({ recipients, sends, unsent }: UsageCounts) => ({
  recipients,
  stored: sends + unsent,
});

/** Reported in hundredths, like recipients. */
async function watchQuota(
  { organizationId, use, usedBefore }: QuotaTally,
  counting: UsageCounting,
): Promise<void> {
  if (use.day !== dayOf(counting.now())) return;
  const isDue = use.isFull || isTimeToLook(use.used - usedBefore, use.used, use.most);
  if (isDue) await tellOfUse(organizationId, use, counting);
}

/**
 * Once a limit is stored as used up, nothing more may be counted. Only this batch can report it, so a failure may retry
 * the batch.
 */
async function tellOfUse(
  organizationId: OrganizationId,
  use: LimitUse,
  counting: UsageCounting,
): Promise<void> {
  const notice = quotaNotice(organizationId, use, counting.now());
  if (notice === undefined) return;
  counting.reportQuota(organizationId, use.limit, quotaPercent(use));
  await summarize(() => storeNotice(counting.table, notice), counting);
}

/** Never fails the count. */
async function countKeyDay(shardId: string, tally: KeyDayTally, counting: UsageCounting) {
  try {
    const counted = await addKeyDay(counting.table, shardId, tally);
    await watchKeys(tally, keysToLookAt(tally, counted), counting);
  } catch (error) {
    counting.reportUnwatched(error);
  }
}

/** Reads the days of all keys, but only when one has sent some more. */
async function watchKeys(
  { organizationId, day }: KeyDayTally,
  apiKeyIds: readonly ApiKeyId[],
  { table, now }: UsageCounting,
): Promise<void> {
  if (apiKeyIds.length === 0) return;
  const days = await readKeyDays(table, organizationId, day);
  for (const apiKeyId of apiKeyIds) {
    const notice = spikeNotice(apiKeyId, day, days, now());
    if (notice !== undefined) await fileNotice(table, notice);
  }
}

/** Reads the whole month, but only for organizations whose figures got worse. Never fails the count. */
async function watchRates(
  { organizationId, month, entries }: UsageTally,
  { table, now, reportUnwatched }: UsageCounting,
): Promise<void> {
  const isWorse = entries.some(
    ({ counts }) => (counts.bouncedRecipients ?? counts.complainedRecipients ?? 0) > 0,
  );
  if (!isWorse) return;
  try {
    const counts = await readUsageCounts(table, organizationId, month);
    for (const notice of rateNotices(organizationId, month, counts, now())) {
      await fileNotice(table, notice);
    }
  } catch (error) {
    reportUnwatched(error);
  }
}
