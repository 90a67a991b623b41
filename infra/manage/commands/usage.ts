import type { Command } from 'commander';
import { type SesPlan, sesPricePlans, wordsOfPlan } from '#shared/config/ses-prices';
import { csvRecord } from '#shared/csv/csv';
import { type Cost, costsOf, sumCosts, type Used } from '#shared/usage/usage-cost';
import { asks } from '../actions.ts';
import { type AnswerOf, type EntryOf, required } from '../api/answers.ts';
import type { ApiClient } from '../api/client.ts';
import type { Drawing } from '../drawing/layout.ts';
import { type Column, drawRecord, drawTable, secondsOf } from '../drawing/text-table.ts';
import { examples, needed, oneOf, refuseJson } from '../options.ts';
import type { Sessions } from '../session.ts';
import type { Paint } from '../terminal.ts';

type Usage = AnswerOf<'GET /api/v1/usage'>;

export function addUsage(usage: Command, sessions: Sessions): void {
  usage
    .option('--by <unit>', 'month or day (default: month)')
    .option('--from <time>', 'first month or day, for example 2026-11 or 2026-11-21')
    .option('--to <time>', 'last month or day')
    .addHelpText('after', examples('usage', 'usage --by day', 'usage --from 2026-01 --json'))
    .action(asks(sessions.asManager, 'GET /api/v1/usage', drawUsage));
  addCost(usage, sessions);
}

type CostOptions = { readonly month: string; readonly plan?: SesPlan };

function addCost(usage: Command, sessions: Sessions): void {
  const planWords = `SES's price plan: ${sesPricePlans.join(', ')} (default: the stack's)`;
  usage
    .command('cost')
    .summary('Prints what each organization cost, as CSV (operator secret)')
    .description('Prints what each organization cost in a month, as CSV (operator secret)')
    .addOption(needed('--month <month>', 'for example 2026-11'))
    .option('--plan <plan>', planWords, oneOf(sesPricePlans))
    .addHelpText('after', examples('usage cost --month 2026-11 > cost.csv'))
    .action(async ({ month, plan: given }: CostOptions, command: Command) => {
      const { terminal, surroundings, target, asOperator } = await sessions.open(command);
      refuseJson(command, 'GET /api/v1/organization-usage');
      const plan =
        given ?? sesPricePlans.find((one) => one === target.sesPricePlan) ?? 'essentials';
      const rows = await readRows(await asOperator(), month, plan);
      terminal.say(`Based on SES's price plan ${wordsOfPlan(plan)}.`);
      surroundings.output.write([costColumns, ...rows].map(csvRecord).join(''));
    });
}

const costColumns = [
  ...[
    'month',
    'organization_id',
    'organization',
    'sends',
    'recipients',
    'attachment_bytes',
    'webhook_messages',
  ],
  ...['ses_usd', 'service_usd', 'fixed_usd', 'total_usd'],
];

async function readRows(api: ApiClient, month: string, plan: SesPlan): Promise<string[][]> {
  const organizations: UsedBy[] = [];
  let cursor: string | undefined;
  do {
    const query = { month, limit: '100', cursor };
    const page = await api.ask('GET /api/v1/organization-usage', { query });
    organizations.push(...required(page, 'data'));
    cursor = required(page, 'nextCursor') ?? undefined;
  } while (cursor !== undefined);
  const used = organizations.map(toUsed);
  const costs = costsOf(plan, used);
  return [
    ...organizations.map(({ organizationId = '', name = '' }, index) => [
      ...[month, organizationId, name],
      ...cellsOf(used[index] ?? nothing, costs[index] ?? sumCosts([])),
    ]),
    [month, 'total', '', ...cellsOf(used.reduce(add, nothing), sumCosts(costs))],
  ];
}

type UsedBy = EntryOf<'GET /api/v1/organization-usage'>;

const toUsed = (one: UsedBy): Used => ({
  sends: required(one, 'sends'),
  recipients: required(one, 'recipients'),
  attachmentBytes: required(one, 'attachmentBytes'),
  webhookMessages: required(one, 'webhookMessages'),
});

const nothing: Used = { sends: 0, recipients: 0, attachmentBytes: 0, webhookMessages: 0 };

const add = (one: Used, other: Used): Used => ({
  sends: one.sends + other.sends,
  recipients: one.recipients + other.recipients,
  attachmentBytes: one.attachmentBytes + other.attachmentBytes,
  webhookMessages: one.webhookMessages + other.webhookMessages,
});

const cellsOf = (used: Used, { ses, service, fixed, total }: Cost): string[] => [
  ...[used.sends, used.recipients, used.attachmentBytes, used.webhookMessages].map(String),
  ...[ses, service, fixed, total].map((cents) => (cents / 100).toFixed(2)),
];

function drawUsage(usage: Usage, paint: Paint): Drawing {
  const { months, days, total, receivingDomains } = usage;
  const periods = [
    ...(months ?? []).map(({ month, ...figures }) => ({ period: month, ...figures })),
    ...(days ?? []).map(({ day, ...figures }) => ({ period: day, ...figures })),
  ];
  const rows: Row[] = [...periods.reverse(), { period: 'total', ...total }];
  const domains = receivingDomains?.busiest ?? [];
  const money = costLines(usage);
  return [
    drawTable(rows, columns, paint),
    ...(domains.length === 0 ? [] : ['', drawTable(domains, domainColumns, paint)]),
    ...(money.length === 0 ? [] : ['', drawRecord(money)]),
  ];
}

/** By list prices: AWS's bill may say otherwise. */
function costLines({ cost, quota }: Usage): readonly (readonly [string, string])[] {
  const { recipients, recipientsPerDay } = quota ?? {};
  const ofCost: readonly (readonly [string, string])[] =
    cost?.total === undefined
      ? []
      : [
          [
            `Cost of ${cost.month} so far`,
            `about ${dollarsOf(cost.total)}: SES ${dollarsOf(cost.ses)}, service ${dollarsOf(cost.service)}, fixed ${dollarsOf(cost.fixed)}`,
          ],
          ...(cost.forecast == null
            ? []
            : [['Forecast', `about ${dollarsOf(cost.forecast)} for the whole month`] as const]),
        ];
  const ofQuota: readonly (readonly [string, string])[] =
    recipients === undefined
      ? []
      : [['Recipients today', `${recipients} of ${recipientsPerDay ?? 'any number'}`]];
  return [...ofCost, ...ofQuota];
}

const dollarsOf = (cents = 0): string => `$${(cents / 100).toFixed(2)}`;

type Row = { readonly period?: string | undefined } & NonNullable<Usage['total']>;

const columns = [
  ['PERIOD', ({ period }) => period],
  ['SENDS', ({ sends }) => sends],
  ['DELIVERED', ({ events }) => events?.delivered],
  ['BOUNCED', ({ events }) => events?.bounced],
  ['COMPLAINED', ({ events }) => events?.complained],
  ['OPENED', ({ events }) => events?.opened],
  ['CLICKED', ({ events }) => events?.clicked],
  ['MEDIAN', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p50Ms), 'below'],
  ['P95', ({ timeToDelivery }) => secondsOf(timeToDelivery?.p95Ms), 'below'],
] as const satisfies readonly Column<Row>[];

type Domain = NonNullable<NonNullable<NonNullable<Usage['receivingDomains']>['busiest']>[number]>;

const domainColumns = [
  ['RECEIVING DOMAIN', ({ domain }) => domain],
  ['DELIVERED', ({ deliveries }) => deliveries],
  ['MEDIAN', ({ p50Ms }) => secondsOf(p50Ms)],
  ['P95', ({ p95Ms }) => secondsOf(p95Ms)],
] as const satisfies readonly Column<Domain>[];
