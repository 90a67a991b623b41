import { useLocation } from 'preact-iso/router';
import { percent } from '../overview/figures.tsx';
import { percentText } from '../overview/rates.ts';
import { toast } from '../parts/announce.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Choice, Field } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Say, Shown } from '../parts/states.tsx';
import { count, periodName } from '../shared/format.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { saveFile } from '../shared/save-file.ts';
import { useCall } from '../shared/use-call.ts';
import {
  type Figures,
  figureText,
  monthBefore,
  sinceFirstUse,
  type Usage,
  usageColumns,
  usageCsv,
  usageRows,
} from './usage-table.ts';

const here = '/console/usage';
const monthsBeforeThis = 11;

export function UsagePage() {
  const { query } = useLocation();
  const { from, to } = query;
  const by = oneOf(['day'], query['by']) ?? 'month';
  const isYear = !from && !to && by === 'month';
  const usage = useCall('GET /api/v1/usage', {
    query: { by, from: isYear ? monthBefore(Date.now(), monthsBeforeThis) : from, to },
  });
  return (
    <Page
      title="Usage"
      beside="What you sent through Amazon SES, and what became of it"
      actions={usage.value && <Save usage={usage.value} />}
    >
      <Filters />
      <Shown of={usage}>
        {(value) => (
          <>
            <MonthCost usage={value} />
            <Table usage={value} isByDay={by === 'day'} isRange={Boolean(from || to)} />
            <BusiestTags {...value.tags} />
          </>
        )}
      </Shown>
    </Page>
  );
}

/** The answer comes first: what the month costs, then of what that is made. */
function MonthCost({ usage: { cost, quota } }: { usage: Usage }) {
  if (!cost) return null;
  const { month, ses, service, fixed, total, forecast, plan } = cost;
  const name = periodName(month);
  return (
    <Say
      title={
        forecast === null
          ? `${name} has cost about ${dollars(total)} so far`
          : `${name} has cost about ${dollars(total)} so far, and comes to about ${dollars(forecast)}`
      }
    >
      <p>
        Amazon SES {dollars(ses)}, by its plan {plan}; this service on AWS {dollars(service)};{' '}
        {dollars(fixed)} is what the deployment costs in any month, whoever uses it. An estimate by
        list prices{forecast === null ? '' : '; the forecast is the pace so far'}.
      </p>
      {quota && <Quota {...quota} />}
    </Say>
  );
}

function Quota({ recipients, recipientsPerDay: most }: NonNullable<Usage['quota']>) {
  const used = count(recipients, 'recipient');
  if (most === null) return <p>{used} today (UTC).</p>;
  return (
    <p>
      {used} today (UTC), of your limit of {most.toLocaleString()} a day:{' '}
      {percentText((100 * recipients) / most)}.
    </p>
  );
}

const dollars = (cents: number): string =>
  (cents / 100).toLocaleString(undefined, { style: 'currency', currency: 'USD' });

function Filters() {
  const { query } = useLocation();
  const { by, from, to } = query;
  const isRange = Boolean(from || to);
  const shown = isRange ? 'range' : by === 'day' ? 'day' : 'month';
  return (
    <div class="section subnav">
      <nav aria-label="Time">
        <a href={here} aria-current={shown === 'month' ? 'true' : undefined}>
          Last 12 months
        </a>
        <a
          href={addressWith(here, { by: 'day' })}
          aria-current={shown === 'day' ? 'true' : undefined}
        >
          Last 30 days
        </a>
        {isRange && (
          <a href={addressWith(here, query)} aria-current="true">
            {from ?? '…'} to {to ?? 'now'}
          </a>
        )}
      </nav>
      <DialogButton label="Range…" title="Usage in a custom range" look="small">
        <Range />
      </DialogButton>
    </div>
  );
}

function Range() {
  const { query, route } = useLocation();
  return (
    <ChangeForm
      submit="Show"
      act={async (typed) =>
        route(addressWith(here, { by: typed('by'), from: typed('from'), to: typed('to') }))
      }
    >
      <Choice
        label="By"
        name="by"
        value={query['by']}
        options={[
          ['', 'Month'],
          ['day', 'Day'],
        ]}
      />
      <Field
        label="From"
        name="from"
        value={query['from']}
        hint="A month such as 2026-11, or a day such as 2026-11-21"
      />
      <Field label="To" name="to" value={query['to']} hint="At most 24 months or 92 days later" />
    </ChangeForm>
  );
}

function Save({ usage }: { usage: Usage }) {
  const { from, to } = usage;
  const save = () => {
    saveFile(new Blob([usageCsv(usage)], { type: 'text/csv' }), `usage-${from}-${to}.csv`);
    toast('The file is in your downloads');
  };
  return (
    <button type="button" onClick={save}>
      Export CSV
    </button>
  );
}

function Table({
  usage,
  isByDay,
  isRange,
}: {
  usage: Usage;
  isByDay: boolean;
  /** The range as requested. */
  isRange: boolean;
}) {
  const rows = isRange ? usageRows(usage) : sinceFirstUse(usageRows(usage));
  const from = rows.at(-1)?.period ?? usage.from;
  const { to, total } = usage;
  const most = Math.max(1, ...rows.map(({ figures }) => figures.sends));
  return (
    <>
      <table class="figures">
        <caption>
          {from === to ? periodName(to) : `${periodName(from)} to ${periodName(to)}`} (UTC)
        </caption>
        <thead>
          <tr>
            <th scope="col">{isByDay ? 'Day' : 'Month'}</th>
            {usageColumns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.length > 1 && <Row period="Total" figures={total} isSum />}
          {rows.map(({ period, figures }) => (
            <Row
              key={period}
              period={periodName(period)}
              figures={figures}
              share={figures.sends / most}
            />
          ))}
        </tbody>
      </table>
      <p class="quiet">
        Sends count when Amazon SES accepts them, events when they happen, so rows may not add up.
        Opens and clicks include machines. Figures update within a minute.
      </p>
    </>
  );
}

const Row = ({
  period,
  figures,
  isSum = false,
  share,
}: {
  period: string;
  figures: Figures;
  isSum?: boolean;
  /** Of the most sends. */
  share?: number;
}) => (
  <tr class={isSum ? 'sum' : undefined}>
    <th scope="row">{period}</th>
    {usageColumns.map((column) => (
      <td
        key={column.name}
        data-label={column.label}
        class={column.of(figures) === 0 ? 'zero' : undefined}
      >
        {column.name === 'sends' && share !== undefined && <Behind share={share} />}
        {figureText(column, figures)}
      </td>
    ))}
  </tr>
);

/** A bar behind a number. */
const Behind = ({ share }: { share: number }) => (
  <svg class="behind" width="100%" height="100%" aria-hidden="true">
    <rect width={percent(share)} height="100%" rx="3" />
  </svg>
);

/** The tags with the most sends, linked to their emails. */
function BusiestTags({ month, busiest, lacking }: Usage['tags']) {
  if (busiest.length === 0) return null;
  return (
    <>
      <h2>Busiest tags</h2>
      <table class="figures short">
        <caption>{periodName(month)} (UTC)</caption>
        <thead>
          <tr>
            <th scope="col">Tag</th>
            <th scope="col">Sends</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(({ name, value, sends }) => (
            <tr key={`${name}:${value}`}>
              <th scope="row">
                <a href={addressWith('/console/emails', { tag: `${name}:${value}` })}>
                  {name}:{value}
                </a>
              </th>
              <td data-label="Sends">
                <Behind share={sends / (busiest[0]?.sends ?? sends)} />
                {sends.toLocaleString()}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lacking > 0 && (
        <p class="quiet">
          You use many different tags, so each figure may lack up to {lacking.toLocaleString()}{' '}
          sends.
        </p>
      )}
    </>
  );
}
