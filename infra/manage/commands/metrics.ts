import type { Command } from 'commander';
import { metricIntervals } from '#shared/usage/metric-buckets';
import { metricDimensions } from '#shared/usage/metric-changes';
import { asks } from '../actions.ts';
import type { AnswerOf } from '../api/answers.ts';
import type { Block, Drawing } from '../drawing/layout.ts';
import {
  type Column,
  drawRecord,
  drawTable,
  foreign,
  momentOf,
  secondsOf,
} from '../drawing/text-table.ts';
import { examples, oneOf } from '../options.ts';
import type { Sessions } from '../session.ts';
import type { Paint } from '../terminal.ts';

type Metrics = AnswerOf<'GET /api/v1/metrics'>;
type Figures = NonNullable<Metrics['totals']>;

export function addMetrics(metrics: Command, { asManager }: Sessions): void {
  metrics
    .option('--interval <interval>', `${metricIntervals.join(', ')} (default: day)`, interval)
    .option('--from <time>', 'for example 2026-11-21 (default: 30 days ago, or a day by hour)')
    .option('--until <time>', 'the end, which no longer counts (default: now)')
    .option('--time-zone <name>', 'where days begin, such as Europe/Berlin (default: UTC)')
    .option('--by <what>', `also by ${metricDimensions.join(', ')}`, oneOf(metricDimensions))
    .option('--value <value>', 'with --by: only this one, such as kind:reset of --by tag')
    .option('--previous', 'beside the totals of as long right before')
    .addHelpText(
      'after',
      examples(
        'metrics',
        'metrics --interval hour --time-zone Europe/Berlin',
        'metrics --by receiver --from 2026-11-01 --until 2026-12-01',
        'metrics --by tag --value kind:reset --previous',
      ),
    )
    .action(asks(asManager, 'GET /api/v1/metrics', drawMetrics));
}

const interval = oneOf(metricIntervals);

function drawMetrics(metrics: Metrics, paint: Paint): Drawing {
  const { totals = {}, previous, buckets = [], groups = [], lacking = 0 } = metrics;
  const { reasons = [], receivers = [] } = metrics;
  const tables: readonly (readonly Block[])[] = [
    [drawRecord([...describe(metrics), ...totalsOf(totals, previous ?? undefined)])],
    tableOf(buckets, [periodColumn, ...figureColumns], paint),
    tableOf(groups, [valueColumn, ...figureColumns], paint),
    lacking > 0 && groups.length > 0 ? [`Each may lack up to ${lacking} emails.`] : [],
    tableOf(reasons, reasonColumns, paint),
    tableOf(receivers, receiverColumns, paint),
  ];
  return tables
    .filter((blocks) => blocks.length > 0)
    .flatMap((blocks, index) => (index === 0 ? blocks : ['', ...blocks]));
}

const tableOf = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  paint: Paint,
): readonly Block[] => (rows.length === 0 ? [] : [drawTable(rows, columns, paint)]);

const describe = ({ from, until, timeZone, by, value }: Metrics) =>
  [
    ['From', momentOf(from)],
    ['Until', momentOf(until)],
    ['Time zone', timeZone],
    ['Only', value == null ? undefined : foreign(`${by} ${value}`)],
  ] as const;

function totalsOf(now: Figures, before: Figures | undefined) {
  const times = now.timeToDelivery;
  const counted = (figure: (figures: Figures) => string) =>
    before === undefined ? figure(now) : `${figure(now)}; before: ${figure(before)}`;
  return [
    ['Sent', counted(({ sent }) => `${sent ?? 0}`)],
    ['Delivered', counted((one) => withRate(one.delivered, one.delivery_rate))],
    ['Bounced', counted((one) => withRate(one.bounced, one.bounce_rate))],
    ['Of these for good', counted((one) => `${one.bounced_permanent ?? 0}`)],
    ['Complained', counted((one) => withRate(one.complained, one.complaint_rate))],
    ['Opened', counted((one) => withRate(one.unique_opened, one.open_rate))],
    ['Opened by machines', counted((one) => `${one.machine_opened ?? 0}`)],
    ['Clicked', counted((one) => withRate(one.unique_clicked, one.click_rate))],
    ['Suppressed', counted((one) => `${one.suppressed ?? 0}`)],
    ['Failed', counted((one) => `${one.failed ?? 0}`)],
    ['Canceled', counted((one) => `${one.canceled ?? 0}`)],
    ['Delayed', counted((one) => `${one.delivery_delayed ?? 0}`)],
    [
      'Time to delivered',
      times && `half within ${secondsOf(times.p50Ms)}, 95% within ${secondsOf(times.p95Ms)}`,
    ],
  ] as const;
}

const withRate = (count = 0, rate: number | null | undefined): string =>
  rate == null ? `${count}` : `${count} (${Math.round(rate * 100) / 100}%)`;

type Bucket = NonNullable<Metrics['buckets']>[number];
type Group = NonNullable<Metrics['groups']>[number];

const periodColumn = ['PERIOD', ({ period }) => period] as const satisfies Column<Bucket>;
const valueColumn = [
  'VALUE',
  ({ value }) => foreign(value),
  'cut',
] as const satisfies Column<Group>;

const figureColumns = [
  ['SENT', ({ sent }) => sent],
  ['DELIVERED', ({ delivered }) => delivered],
  ['BOUNCED', ({ bounced }) => bounced],
  ['COMPLAINED', ({ complained }) => complained],
  ['OPENED', (one) => one.unique_opened, 'wide'],
  ['CLICKED', (one) => one.unique_clicked, 'wide'],
  ['SUPPRESSED', ({ suppressed }) => suppressed, 'wide'],
  ['FAILED', ({ failed }) => failed, 'wide'],
  ['MEDIAN', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p50Ms), 'wide'],
  ['P95', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p95Ms), 'wide'],
] as const satisfies readonly Column<Figures>[];

const reasonColumns = [
  ['WHY THEY DIDN’T ARRIVE', ({ reason }) => reason?.replaceAll('_', ' ')],
  ['EMAILS', ({ emails }) => emails],
] as const satisfies readonly Column<NonNullable<Metrics['reasons']>[number]>[];

const receiverColumns = [
  ['RECEIVER', ({ domain }) => foreign(domain), 'cut'],
  ['SENT', ({ sent }) => sent],
  ['SHARE', ({ share }) => percentOf(share)],
  ['DELIVERED', ({ delivery_rate: rate }) => percentOf(rate)],
  ['MEDIAN', ({ p50Ms }) => secondsOf(p50Ms)],
  ['P95', ({ p95Ms }) => secondsOf(p95Ms)],
] as const satisfies readonly Column<NonNullable<Metrics['receivers']>[number]>[];

const percentOf = (share: number | null | undefined) =>
  share == null ? undefined : `${Math.round(share * 10) / 10}%`;
