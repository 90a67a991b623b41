import { useEffect, useState } from 'preact/hooks';
import { sesPrices } from '#shared/config/ses-prices';
import { costsOf, sumCosts } from '#shared/usage/usage-cost';
import type { Answer } from '../../../api.ts';
import type { ApiFailure } from '../api-client.ts';
import { call } from '../api-client.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Foreign } from '../parts/text.tsx';
import { organizationPage } from '../shared/addresses.ts';
import { count, periodName, utcDay } from '../shared/format.ts';
import { maxPerPage } from '../shared/paging.ts';
import { toFailure } from '../shared/use-call.ts';

type UsagePage = Answer<'GET /api/v1/organization-usage'>;
type Read = {
  readonly rows: UsagePage['data'];
  readonly plan: UsagePage['sesPricePlan'] | undefined;
  readonly isWhole: boolean;
};

/** A page has this many of the most expensive. The sum is of all. */
const shownRows = 100;

/** What the month has cost so far, by organization. The figures of all are needed to share out what any month costs. */
export function Costs() {
  const month = utcDay(Date.now()).slice(0, 'YYYY-MM'.length);
  const [read, setRead] = useState<Read>({ rows: [], plan: undefined, isWhole: false });
  const [failure, setFailure] = useState<ApiFailure>();
  useEffect(() => {
    const abort = new AbortController();
    readAll(month, setRead, abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) setFailure(toFailure(error));
    });
    return () => abort.abort();
  }, [month]);
  return (
    <Page title="Costs" beside={periodName(month)}>
      {failure && <Failure failure={failure} />}
      {read.isWhole ? (
        <Estimate {...read} />
      ) : (
        !failure && <p class="loading">Loading… {count(read.rows.length, 'organization')} so far</p>
      )}
    </Page>
  );
}

/** One after another: each organization on a page costs the service a query. */
async function readAll(
  month: string,
  onRead: (read: Read) => void,
  signal: AbortSignal,
): Promise<void> {
  let rows: UsagePage['data'] = [];
  let cursor: string | undefined;
  do {
    const query = { month, cursor, limit: maxPerPage };
    const page = await call('GET /api/v1/organization-usage', { query }, signal);
    rows = [...rows, ...page.data];
    cursor = page.nextCursor ?? undefined;
    onRead({ rows, plan: page.sesPricePlan, isWhole: cursor === undefined });
  } while (cursor !== undefined);
}

function Estimate({ rows, plan = 'essentials' }: Read) {
  if (rows.length === 0) return <Empty title="No organizations yet" />;
  const costs = costsOf(plan, rows);
  const all = sumCosts(costs);
  const dearest = rows
    .flatMap((row, place) => {
      const cost = costs[place];
      return cost ? [{ ...row, cost }] : [];
    })
    .sort((one, other) => other.cost.total - one.cost.total);
  const { thousand } = sesPrices[plan];
  return (
    <>
      <p class="lead">
        An estimate, in US dollars, from what was counted: SES’s list price of the plan {plan} ($
        {thousand} for a thousand recipients), and what sends, webhooks and an idle deployment were
        measured to cost. Logs, traffic and what AWS gives away aren’t in it. The bill is AWS’s.
      </p>
      <dl class="tiles">
        <Tile name="All" cents={all.total} />
        <Tile name="Amazon SES" cents={all.ses} />
        <Tile name="The service" cents={all.service} />
        <Tile name="Of any month" cents={all.fixed} />
      </dl>
      <Table
        label="Costs by organization"
        rows={dearest.slice(0, shownRows)}
        keyOf={({ organizationId }) => organizationId}
        hrefOf={({ organizationId }) => organizationPage(organizationId)}
        columns={[
          {
            head: 'Organization',
            look: 'strong',
            width: 4,
            isLink: true,
            cell: ({ name }) => <Foreign text={name} most={80} />,
          },
          { head: 'Emails', look: 'end', cell: ({ sends }) => sends.toLocaleString() },
          {
            head: 'Amazon SES',
            look: 'end roomy',
            cell: ({ cost }) => dollars(cost.ses),
          },
          { head: 'All', look: 'end', cell: ({ cost }) => dollars(cost.total) },
        ]}
      />
      {dearest.length > shownRows && (
        <p class="quiet">
          The {shownRows} dearest of {dearest.length.toLocaleString()}. All of them, as CSV:{' '}
          <code>npm run manage -- usage cost</code>
        </p>
      )}
    </>
  );
}

const Tile = ({ name, cents }: { name: string; cents: number }) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd>{dollars(cents)}</dd>
  </div>
);

const dollars = (cents: number): string =>
  (cents / 100).toLocaleString(undefined, { style: 'currency', currency: 'USD' });
