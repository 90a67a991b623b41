import { useLocation } from 'preact-iso/router';
import type { Answer, Input } from '../../../api.ts';
import { call } from '../api-client.ts';
import { anyOf, Choice, Field, MomentField, SearchForm } from '../shared/form.tsx';
import { count } from '../shared/format.ts';
import { useLongWork, WorkState } from '../shared/long-work.tsx';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { oneOf } from '../shared/paging.ts';
import { saveFile } from '../shared/save-file.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { Badge, Foreign, Moment, StateBadge } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { othersIn, type Send, sendStatuses, sendWords } from './outcomes.ts';
import { sendsHeader, sendsRecords } from './sends-csv.ts';

type List = Answer<'GET /api/v1/sends'>;

/** All emails, newest first, or those that match the page's address. */
export function Emails() {
  const { query } = useLocation();
  const { to, from, until, template, key, tag, cursor } = query;
  const status = oneOf(sendStatuses, query['status']);
  const test = oneOf(['true'] as const, query['test']);
  const filters = { to, from, until, template, key, tag, status };
  const listed = { ...filters, test };
  const sends = useCall('GET /api/v1/sends', { query: { ...listed, cursor } });
  const isFiltered = [...Object.values(filters), test].some(Boolean);
  return (
    <Page title={test ? 'Test emails' : 'Emails'}>
      <Filters />
      {test && (
        <p class="notice">
          Made with test keys: SES never got them. They’re in no other list, and count nowhere.
        </p>
      )}
      {to && (
        <p>
          <a href={`/console/addresses/${encodeURIComponent(to)}`}>
            Why didn’t <Foreign text={to} /> get it?
          </a>
        </p>
      )}
      <Shown of={sends}>{(list) => <EmailList list={list} isFiltered={isFiltered} />}</Shown>
      <SaveSends key={JSON.stringify(listed)} filters={listed} />
    </Page>
  );
}

function Filters() {
  const { to, status, from, until, template, key, tag, test } = useLocation().query;
  return (
    <SearchForm
      texts={['to', 'status', 'template', 'key', 'tag', 'test']}
      moments={['from', 'until']}
      submit="Search"
      beside={
        <>
          <a href={test ? '/console/emails?test=true' : '/console/emails'}>Show all</a>{' '}
          <a href={test ? '/console/emails' : '/console/emails?test=true'}>
            {test ? 'Real emails' : 'Test emails'}
          </a>
        </>
      }
    >
      <Field label="Recipient" name="to" type="email" value={to} hint="The whole address" />
      <Choice
        label="Status"
        name="status"
        value={status}
        options={anyOf(sendStatuses.map((one) => [one, sendWords[one][0]] as const))}
      />
      <input type="hidden" name="test" value={test ?? ''} />
      <details open={[from, until, template, key, tag].some(Boolean)}>
        <summary>More filters</summary>
        <div class="filters">
          <MomentField label="From" name="from" />
          <MomentField label="Until" name="until" />
          <Field label="Template id" name="template" value={template} />
          <Field label="Key id" name="key" value={key} />
          <Field label="Tag" name="tag" value={tag} hint="As name:value" />
        </div>
      </details>
    </SearchForm>
  );
}

function EmailList({ list, isFiltered }: { list: List; isFiltered: boolean }) {
  const { data, nextCursor, lookedUntil } = list;
  return (
    <>
      {data.length > 0 ? (
        <EmailTable sends={data} />
      ) : (
        <Empty>{nothingFound(list, isFiltered)}</Empty>
      )}
      {nextCursor && lookedUntil !== null && (
        <p class="quiet">
          Searched back to <Moment at={lookedUntil} />.
        </p>
      )}
      <Pager
        nextCursor={nextCursor}
        shown={data.length}
        more={data.length > 0 ? 'Older' : 'Search further back'}
      />
    </>
  );
}

function nothingFound({ nextCursor }: List, isFiltered: boolean) {
  if (nextCursor) return <p>No match so far. There are older emails to search.</p>;
  return isFiltered ? (
    <p>
      No email matches. Check the address for typos, or <a href="/console/emails">show all</a>.
      Emails from the last few seconds may be missing, and what the API refused is among the{' '}
      <a href="/console/settings/requests">refused requests</a>.
    </p>
  ) : (
    <>
      <p>You haven’t sent an email yet.</p>
      <p>
        <a href="/console/settings/identity">Set the domain you send from</a>, then{' '}
        <a href="/console/settings/keys">create a key</a> for your application. The{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          reference
        </a>{' '}
        shows how to send.
      </p>
    </>
  );
}

const EmailTable = ({ sends }: { sends: readonly Send[] }) => (
  <table class="stacks">
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Recipient</th>
        <th scope="col">Subject</th>
        <th scope="col">Sent</th>
      </tr>
    </thead>
    <tbody>
      {sends.map((send) => (
        <tr key={send._id}>
          <td>
            <StateBadge of={sendWords[send.status]} />
            {send.test && (
              <>
                {' '}
                <Badge tone="quiet">test</Badge>
              </>
            )}
          </td>
          <td>
            <Foreign text={send.toEmail} most={80} /> {others(send)}
          </td>
          <td>
            <a href={`/console/emails/${encodeURIComponent(send._id)}`}>
              <Foreign text={send.subject || '(no subject)'} most={120} />
            </a>
          </td>
          <td>
            <Moment at={send.createdAt} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

function others(send: Send) {
  const number = othersIn(send);
  return number === 0 ? null : <span class="quiet">and {number} more</span>;
}

type SendFilters = Omit<NonNullable<Input<'GET /api/v1/sends'>['query']>, 'limit' | 'cursor'>;

type Saving = {
  /** What's written so far. A blob, which the browser may keep on disk. */
  readonly file: Blob;
  readonly rows: number;
  readonly cursor: string | undefined;
  readonly lookedUntil: number | null;
};

const fileName = 'emails.csv';

/** Writes all emails that match the filters into a file, page by page. */
function SaveSends({ filters }: { filters: SendFilters }) {
  const work = useLongWork(async (before: Saving | undefined, signal: AbortSignal) => {
    const query = { ...filters, limit: 100, cursor: before?.cursor };
    const { data, nextCursor, lookedUntil } = await call('GET /api/v1/sends', { query }, signal);
    const file = new Blob([before?.file ?? sendsHeader, sendsRecords(data)], { type: 'text/csv' });
    const rows = (before?.rows ?? 0) + data.length;
    const isDone = nextCursor === null;
    if (isDone) saveFile(file, fileName);
    return { progress: { file, rows, cursor: nextCursor ?? undefined, lookedUntil }, isDone };
  });
  const { state, progress } = work;
  return (
    <details>
      <summary>Export as CSV</summary>
      <p>The whole list with its filters, newest first.</p>
      {state !== 'running' && (
        <p class="buttons">
          <button type="button" onClick={work.start}>
            {state === 'idle' ? 'Export' : 'Export again'}
          </button>
          {progress && progress.rows > 0 && (
            <button type="button" onClick={() => saveFile(progress.file, fileName)}>
              {state === 'done' ? 'Save again' : 'Save what’s there'}
            </button>
          )}
        </p>
      )}
      <WorkState work={work}>
        {({ rows, lookedUntil }) => (
          <p>
            <b>{count(rows, 'email')}</b>
            {state === 'done'
              ? '. The file is in your downloads.'
              : lookedUntil !== null && (
                  <>
                    , back to <Moment at={lookedUntil} />
                  </>
                )}
          </p>
        )}
      </WorkState>
    </details>
  );
}
