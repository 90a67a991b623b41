import { PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { is, isNew, onlyIf } from '#shared/table/conditional-update';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { metricsKey, metricsOf, sha256 } from '#shared/table/keys';
import { getItem, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';
import { backOff } from '#shared/timing/backoff';
import { dayMs } from '#shared/timing/day';
import { hourMs, hourOf } from '#shared/timing/hour';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { noTimes } from './delivery-times.ts';
import {
  addToHour,
  byDimension,
  type Counted,
  emptyHour,
  type HourMetrics,
} from './hour-metrics.ts';
import { type MetricDimension, metricDimensions } from './metric-changes.ts';
import { metricFigures, undeliveredReasons } from './metric-figures.ts';
import type { HourTally } from './metrics-tally.ts';
import { maxSequenceDigits } from './stream-record.ts';

/** A week more than can be asked for, so that no hour of a period is missing. */
export const metricsKeptDays = 100;

/**
 * All shards of the stream add to the same item: a shard lives for hours, and a month would have thousands of items.
 * Each has its own mark there, up to which its changes are counted, so a change counts once, however often it comes.
 * The item is read, and written only if no other shard has in between.
 */
export async function addHourMetrics(
  table: Table,
  shardId: string,
  { organizationId, hour, entries }: HourTally,
): Promise<void> {
  const key = metricsKey(organizationId, hour);
  const shard = shardOf(shardId);
  for (let attempt = 1; ; attempt += 1) {
    const item = await getItem(table, key);
    const stored = item && readItem('metrics', storedSchema, item);
    const mark = stored?.marks[shard]?.padStart(maxSequenceDigits, '0');
    const left = entries.filter(({ sequence }) => mark === undefined || sequence > mark);
    const last = left.at(-1)?.sequence;
    if (last === undefined) return;
    const counted = addToHour(stored ? toHourMetrics(stored) : emptyHour, left);
    const put = new PutCommand({
      TableName: table.name,
      Item: {
        ...key,
        version: (stored?.version ?? 0) + 1,
        marks: { ...stored?.marks, [shard]: last.replace(/^0+/, '') },
        ...attributesOf(counted),
        expiresAt: toSeconds(hour * hourMs + metricsKeptDays * dayMs),
      },
      ...onlyIf(stored ? is('version', stored.version) : isNew),
    });
    const { written } = await writeIf(() => table.client.send(put));
    if (written) return;
    if (attempt === mostAttempts) throw new Error('Other shards keep adding to the same hour');
    await backOff(attempt, 20, 500);
  }
}

/** Then Lambda repeats the batch. */
const mostAttempts = 10;

/** 48 bits of a name of 50 characters: an hour has a mark of each. */
const shardOf = (shardId: string): string => sha256(shardId).slice(0, 12);

export type HourPeriod = {
  /** Since the epoch. */
  readonly from: number;
  /** The first hour that isn't in it. */
  readonly until: number;
};

export type StoredHour = HourMetrics & { readonly hour: number };

/** A Query reads 1 MB at a time, so long periods are read in parts side by side. */
const hoursPerQuery = 31 * 24;
const queriesAtATime = 3;

/**
 * The hours in which anything happened, in no order. Eventually consistent, since the counters lag by some seconds
 * anyway.
 */
export async function readHourMetrics(
  table: Table,
  organizationId: OrganizationId,
  { from, until }: HourPeriod,
  dimensions: readonly MetricDimension[],
  now: number,
): Promise<readonly StoredHour[]> {
  const starts: number[] = [];
  const oldest = hourOf(now) - metricsKeptDays * 24;
  for (let start = Math.max(from, oldest); start < until; start += hoursPerQuery)
    starts.push(start);
  const hours: StoredHour[] = [];
  await inParallel(starts, queriesAtATime, async (start) => {
    const range = metricsOf(organizationId, start, Math.min(until, start + hoursPerQuery));
    for await (const item of queryHours(table, range, dimensions)) {
      if (isExpired(item, now)) continue;
      const stored = readItem('metrics', readSchema, item);
      hours.push({ hour: hourIn(stored.sk), ...toHourMetrics(stored) });
    }
  });
  return hours;
}

async function* queryHours(
  { client, name }: Table,
  { pk, firstSk, lastSk }: ReturnType<typeof metricsOf>,
  dimensions: readonly MetricDimension[],
): AsyncGenerator<StoredItem> {
  const names = dimensions.map((dimension) => codes[dimension]);
  const pages = paginateQuery(
    { client },
    {
      TableName: name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :firstSk AND :lastSk',
      ExpressionAttributeValues: { ':pk': pk, ':firstSk': firstSk, ':lastSk': lastSk },
      // What isn't asked for is most of an item.
      ProjectionExpression: [
        'sk',
        '#all',
        'lacking',
        'expiresAt',
        ...names.map((one) => `#${one}`),
      ].join(),
      ExpressionAttributeNames: {
        '#all': 'all',
        ...Object.fromEntries(names.map((one) => [`#${one}`, one])),
      },
    },
  );
  for await (const { Items = [] } of pages) yield* Items;
}

const hourIn = (sk: string): number => Number(sk.split('#')[1]);

/** Attributes of an item: short, as each hour repeats them for each value. */
const codes = {
  domain: 'd',
  key: 'k',
  template: 't',
  tag: 'g',
  receiver: 'r',
  sent: 's',
  delivered: 'd',
  bounced_permanent: 'p',
  bounced_transient: 't',
  bounced_undetermined: 'u',
  complained: 'c',
  unique_opened: 'o',
  unique_clicked: 'k',
  machine_opened: 'm',
  suppressed: 'x',
  failed: 'f',
  canceled: 'n',
  delivery_delayed: 'y',
} as const;

const count = z.int();

/** Figures by their codes, times as `1` to `32`, reasons by their names with a `_`. */
const countedSchema = z.record(z.string(), count);
const valuesSchema = z._default(z.record(z.string(), countedSchema), {});

const hourFields = {
  all: countedSchema,
  d: valuesSchema,
  k: valuesSchema,
  t: valuesSchema,
  g: valuesSchema,
  r: valuesSchema,
  lacking: z._default(countedSchema, {}),
};
const storedSchema = z.object({
  ...hourFields,
  version: z.int(),
  marks: z.record(z.string(), z.string()),
});
const readSchema = z.object({ ...hourFields, sk: z.string() });

type StoredFields = z.output<z.ZodMiniObject<typeof hourFields>>;

const toHourMetrics = (stored: StoredFields): HourMetrics => ({
  all: toCounted(stored.all),
  by: byDimension(
    (dimension) =>
      new Map(
        Object.entries(stored[codes[dimension]]).map(([name, one]) => [name, toCounted(one)]),
      ),
  ),
  lacking: byDimension((dimension) => stored.lacking[codes[dimension]] ?? 0),
});

function toCounted(stored: Readonly<Record<string, number>>): Counted {
  const known = <Name extends string>(names: readonly Name[], codeOf: (name: Name) => string) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const stands = stored[codeOf(name)];
        return stands === undefined ? [] : [[name, stands]];
      }),
    );
  const times = Object.entries(stored).filter(([name]) => /^\d+$/.test(name));
  return {
    figures: known(metricFigures, (name) => codes[name]),
    reasons: known(undeliveredReasons, reasonCode),
    times:
      times.length === 0
        ? noTimes
        : new Map(times.map(([bucket, emails]) => [Number(bucket), emails])),
  };
}

const reasonCode = (reason: string): string => `_${reason}`;

function attributesOf({ all, by, lacking }: HourMetrics): StoredItem {
  const values = metricDimensions.flatMap((dimension) => {
    const rows = [...by[dimension]].map(([name, one]) => [name, toStored(one)]);
    return rows.length === 0 ? [] : [[codes[dimension], Object.fromEntries(rows)]];
  });
  const lost = metricDimensions.flatMap((dimension) =>
    lacking[dimension] === 0 ? [] : [[codes[dimension], lacking[dimension]]],
  );
  return {
    all: toStored(all),
    ...Object.fromEntries(values),
    ...(lost.length > 0 && { lacking: Object.fromEntries(lost) }),
  };
}

const toStored = ({ figures, times, reasons }: Counted): StoredItem => ({
  ...Object.fromEntries(
    metricFigures.flatMap((name) => (figures[name] ? [[codes[name], figures[name]]] : [])),
  ),
  ...Object.fromEntries(times),
  ...Object.fromEntries(
    Object.entries(reasons).map(([reason, emails]) => [reasonCode(reason), emails]),
  ),
});
