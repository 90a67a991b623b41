import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { listSends, withCauses } from '#shared/send-history/list-sends';
import { openTable, type Table } from '#shared/table/table-client';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { endpoint } from '../../functions/list-sends/list-sends.ts';
import { launchDynamodb } from '../../infra/local/dynamodb/launch.ts';
import { tableName } from '../../infra/local/environment.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { buildManager } from '../support/manager-builder.ts';
import { fillSends, needles } from './fill-sends.ts';
import { forInformation, type Report, type Row } from './row.ts';
import { putTypicalOrganization } from './sends.ts';
import { startTableMeter, type TableMeter } from './table-meter.ts';

const dayMs = 86_400_000;

/** More, up to the million that the targets are about, take minutes to store. */
const usualCount = 200_000;

/** Searches of an organization's 30 days of emails, through the twin's API. `BENCH_SENDS` says how many emails. */
export async function benchSearch(isSmall: boolean): Promise<Report> {
  const count = isSmall ? 2_000 : Number(process.env['BENCH_SENDS'] ?? usualCount);
  const dynamodb = launchDynamodb({ isForLong: true });
  const url = await dynamodb.url;
  const stack = await startLocalStack({
    quiet: true,
    providerEvents: false,
    env: { AWS_ENDPOINT_URL_DYNAMODB: url },
  });
  try {
    const table = openTable(tableName);
    const { id, readKey } = await putTypicalOrganization(table);
    const now = Date.now();
    const startedAt = performance.now();
    await fillSends(table, id, count, now);
    const filled = `${format(count)}, stored in ${secondsSince(startedAt).toFixed(0)} s`;
    const ask = askOverHttp(stack.description.baseUrl, readKey);
    const rows = await measureAll(searchesOf(now), id, ask, url);
    return { rows: [forInformation('Emails of 30 days', filled), ...rows] };
  } finally {
    await stack.stop();
    await dynamodb.stop();
  }
}

type Measured = {
  readonly what: string;
  readonly query: Readonly<Record<string, string>>;
  /** The first email, a page of 20, or the end. */
  readonly until: 'found' | 'page' | 'end';
  /** On a machine that does nothing else. */
  readonly mostSeconds?: number;
};

function searchesOf(now: number): Measured[] {
  const lastDay = { from: `${now - dayMs}` };
  const [minutes, yesterday] = needles;
  const all = { limit: '20' };
  return [
    { what: 'First page', query: all, until: 'page' },
    {
      what: 'A word of 20 minutes ago, until found',
      query: { ...all, search: minutes.word },
      until: 'found',
      mostSeconds: 1,
    },
    {
      what: 'A word of yesterday, until found',
      query: { ...all, search: yesterday.word },
      until: 'found',
      mostSeconds: 3,
    },
    {
      what: 'A word that nothing of the last day has, to the end',
      query: { ...all, ...lastDay, search: 'nothing-has-it' },
      until: 'end',
      mostSeconds: 3,
    },
    { what: 'Two words, a page', query: { ...all, search: 'dora receipt' }, until: 'page' },
    { what: 'A tag of 2 in 100, a page', query: { ...all, tag: 'kind:reset' }, until: 'page' },
    { what: 'An address', query: { ...all, search: 'anna.0@mail.example.com' }, until: 'page' },
    ...['bounced', 'failed', 'suppressed', 'opened', 'clicked', 'delivered'].map(
      (outcome): Measured => ({
        what: `Outcome \`${outcome}\`, a page`,
        query: { ...all, outcome },
        until: 'page',
        mostSeconds: 1,
      }),
    ),
  ];
}

/** Each once to warm up, once by the clock, and once through a meter, which takes its time. */
async function measureAll(
  searches: readonly Measured[],
  id: OrganizationId,
  overHttp: Ask,
  databaseUrl: string,
): Promise<Row[]> {
  const meter = await startTableMeter(databaseUrl);
  const client = new DynamoDBClient({ endpoint: meter.url });
  const metered = askWithin({ client: DynamoDBDocumentClient.from(client), name: tableName }, id);
  const rows: Row[] = [];
  try {
    for (const search of searches) {
      await read(search, overHttp);
      const startedAt = performance.now();
      const figures = await read(search, overHttp);
      const seconds = secondsSince(startedAt);
      meter.clear();
      await read(search, metered);
      rows.push(rowOf(search, seconds, figures, meter));
    }
    return rows;
  } finally {
    client.destroy();
    await meter.stop();
  }
}

type Page = Pick<z.output<(typeof endpoint.answers)[200]['body']>, 'nextCursor' | 'looked'> & {
  readonly data: readonly unknown[];
};
type Ask = (query: Readonly<Record<string, string>>) => Promise<Page>;

const askOverHttp =
  (baseUrl: string, key: string): Ask =>
  async (query) => {
    const response = await fetch(`${baseUrl}/api/v1/sends?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (!response.ok) throw new Error(`The search was answered ${response.status}`);
    return endpoint.answers[200].body.parse(await response.json());
  };

function askWithin(table: Table, organizationId: OrganizationId): Ask {
  const { caller } = buildManager(organizationId);
  return async (query) => {
    const service = { table, now: Date.now };
    const { sends, ...page } = await listSends(
      { caller, query: endpoint.query.parse(query) },
      service,
    );
    return { data: await withCauses(table, sends, Date.now()), ...page };
  };
}

/** Asks on as the console does. */
async function read({ query, until }: Measured, ask: Ask) {
  const figures = { requests: 0, looked: 0, found: 0 };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await ask({ ...query, ...(cursor !== '' && { cursor }) });
    figures.requests += 1;
    figures.looked += page.looked;
    figures.found += page.data.length;
    cursor = page.nextCursor;
    if (until === 'found' && figures.found > 0) break;
    if (until === 'page' && figures.found >= 20) break;
  }
  return figures;
}

function rowOf(
  { what, mostSeconds }: Measured,
  seconds: number,
  { requests, looked, found }: Awaited<ReturnType<typeof read>>,
  { calls }: TableMeter,
): Row {
  const units = calls.reduce((sum, { readUnits }) => sum + readUnits, 0);
  return {
    what,
    measured: `${seconds.toFixed(2)} s; ${requests} requests, ${format(looked)} emails looked at, ${found} found; ${format(units)} read units`,
    target: mostSeconds === undefined ? '–' : `≤ ${mostSeconds} s`,
    met: mostSeconds === undefined || seconds <= mostSeconds,
  };
}

const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000;
const format = (value: number): string => value.toLocaleString('en-US');
