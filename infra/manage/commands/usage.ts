import type { Command } from 'commander';
import type { AnswerOf } from '../api/answers.ts';
import { type Column, drawTable } from '../drawing/columns.ts';
import { examples } from '../options.ts';
import type { OpenSession } from '../session.ts';
import type { Paint } from '../terminal.ts';

type Usage = AnswerOf<'GET /api/v1/usage'>;
type Options = Readonly<Partial<Record<'by' | 'from' | 'to', string>>>;

export function addUsage(usage: Command, open: OpenSession): void {
  usage
    .option('--by <unit>', 'month or day (default: month)')
    .option('--from <time>', 'first month or day, for example 2026-11 or 2026-11-21')
    .option('--to <time>', 'last month or day')
    .addHelpText('after', examples('usage', 'usage --by day', 'usage --from 2026-01 --json'))
    .action(async ({ by, from, to }: Options, command: Command) => {
      const { terminal, asManager } = await open(command);
      const api = await asManager();
      const answer = await api.ask('GET /api/v1/usage', { query: { by, from, to } });
      terminal.show(answer, (paint) => drawUsage(answer, paint));
    });
}

function drawUsage({ months, days, total, receivingDomains }: Usage, paint: Paint): string {
  const periods = [
    ...(months ?? []).map(({ month, ...figures }) => ({ period: month, ...figures })),
    ...(days ?? []).map(({ day, ...figures }) => ({ period: day, ...figures })),
  ];
  const rows: Row[] = [...periods.reverse(), { period: 'total', ...total }];
  const domains = receivingDomains?.busiest ?? [];
  return [
    drawTable(rows, columns, paint),
    ...(domains.length === 0 ? [] : ['', drawTable(domains, domainColumns, paint)]),
  ].join('\n');
}

type Row = { readonly period?: string | undefined } & NonNullable<Usage['total']>;

const columns = [
  ['PERIOD', ({ period }) => period],
  ['SENDS', ({ sends }) => sends],
  ['DELIVERED', ({ events }) => events?.delivered],
  ['BOUNCED', ({ events }) => events?.bounced],
  ['COMPLAINED', ({ events }) => events?.complained],
  ['OPENED', ({ events }) => events?.opened],
  ['CLICKED', ({ events }) => events?.clicked],
  ['MEDIAN', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p50Ms)],
  ['P95', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p95Ms)],
] as const satisfies readonly Column<Row>[];

type Domain = NonNullable<NonNullable<NonNullable<Usage['receivingDomains']>['busiest']>[number]>;

const domainColumns = [
  ['RECEIVING DOMAIN', ({ domain }) => domain],
  ['DELIVERED', ({ deliveries }) => deliveries],
  ['MEDIAN', ({ p50Ms }) => secondsOf(p50Ms)],
  ['P95', ({ p95Ms }) => secondsOf(p95Ms)],
] as const satisfies readonly Column<Domain>[];

const secondsOf = (ms: number | undefined) =>
  ms === undefined ? undefined : `${(ms / 1_000).toFixed(1)} s`;
