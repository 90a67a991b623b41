import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { toast } from '../shared/announce.tsx';
import { Choice, Field, SearchForm } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { saveFile } from '../shared/save-file.ts';
import { Shown } from '../shared/states.tsx';
import { useCall } from '../shared/use-call.ts';
import {
  type Figures,
  figureText,
  monthBefore,
  usageColumns,
  usageCsv,
  usageRows,
} from './usage-table.ts';

const here = '/console/usage';
const monthsBeforeThis = 11;

/** The organization's usage, by month or day. */
export function UsagePage() {
  const { query } = useLocation();
  const { from, to } = query;
  const by = oneOf(['day'], query['by']) ?? 'month';
  const isYear = !from && !to && by === 'month';
  const usage = useCall('GET /api/v1/usage', {
    query: { by, from: isYear ? monthBefore(Date.now(), monthsBeforeThis) : from, to },
  });
  return (
    <Page title="Usage" lead="What you sent through Amazon SES, and what became of it.">
      <Filters />
      <Shown of={usage}>
        {(value) => (
          <>
            <Table usage={value} isByDay={by === 'day'} />
            <BusiestTags {...value.tags} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Filters() {
  const { by, from, to } = useLocation().query;
  return (
    <SearchForm
      texts={['by', 'from', 'to']}
      submit="Show"
      beside={
        <>
          <a href={here}>Last 12 months</a>
          <a href={addressWith(here, { by: 'day' })}>Last 30 days</a>
        </>
      }
    >
      <Choice
        label="By"
        name="by"
        value={by}
        options={[
          ['', 'Month'],
          ['day', 'Day'],
        ]}
      />
      <Field label="From" name="from" value={from} hint="2026-11, or 2026-11-21 by day" />
      <Field label="To" name="to" value={to} hint="At most 24 months or 92 days" />
    </SearchForm>
  );
}

function Table({ usage, isByDay }: { usage: Answer<'GET /api/v1/usage'>; isByDay: boolean }) {
  const { from, to, total } = usage;
  const save = () => {
    const file = new Blob([usageCsv(usage)], { type: 'text/csv' });
    saveFile(file, `usage-${from}-${to}.csv`);
    toast('The file is in your downloads');
  };
  return (
    <>
      <p class="buttons">
        <button type="button" onClick={save}>
          Export as CSV
        </button>
      </p>
      <table class="figures">
        <caption>
          {from} to {to} (UTC)
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
          <Row period="Total" figures={total} />
          {usageRows(usage).map(({ period, figures }) => (
            <Row key={period} period={period} figures={figures} />
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

const Row = ({ period, figures }: { period: string; figures: Figures }) => (
  <tr>
    <th scope="row">{period}</th>
    {usageColumns.map((column) => (
      <td
        key={column.name}
        data-label={column.label}
        class={column.of(figures) === 0 ? 'zero' : undefined}
      >
        {figureText(column, figures)}
      </td>
    ))}
  </tr>
);

/** The tags with the most sends, each leading to its emails. */
function BusiestTags({ month, busiest, lacking }: Answer<'GET /api/v1/usage'>['tags']) {
  if (busiest.length === 0) return null;
  return (
    <>
      <h2>Busiest tags</h2>
      <table class="figures">
        <caption>{month} (UTC)</caption>
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
              <td data-label="Sends">{sends.toLocaleString()}</td>
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
