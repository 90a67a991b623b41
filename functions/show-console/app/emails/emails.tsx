import { useLocation } from 'preact-iso/router';
import type { Answer } from '../api-client.ts';
import { Choice, Field, SearchForm, type Typed } from '../shared/form.tsx';
import { isoMoment, localField, localMoment } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { Badge, Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { type Send, sendStatuses, sendWords } from '../shared/words.ts';
import { SaveSends } from './save-sends.tsx';

type List = Answer<'GET /api/v1/sends'>;

/** All emails, newest first, or those that the address of the page asks for. */
export function Emails() {
  const { query } = useLocation();
  const { to, from, until, template, key, cursor } = query;
  const status = oneOf(sendStatuses, query['status']);
  const filters = { to, from, until, template, key, status };
  const sends = useCall('GET /api/v1/sends', { query: { ...filters, cursor } });
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page title="Emails">
      <Filters />
      {to && (
        <p>
          <a href={`/console/addresses/${encodeURIComponent(to)}`}>
            Why did <Foreign text={to} /> not get it?
          </a>
        </p>
      )}
      <Shown of={sends}>{(list) => <EmailList list={list} isFiltered={isFiltered} />}</Shown>
      <SaveSends key={JSON.stringify(filters)} filters={filters} />
    </Page>
  );
}

function Filters() {
  const { query, route } = useLocation();
  const { to, status, from, until, template, key } = query;
  const search = (typed: Typed) =>
    route(
      addressWith('/console/emails', {
        to: typed('to'),
        status: typed('status'),
        from: isoMoment(typed('from')),
        until: isoMoment(typed('until')),
        template: typed('template'),
        key: typed('key'),
      }),
    );
  return (
    <SearchForm onSearch={search} key={JSON.stringify([to, status, from, until, template, key])}>
      <Field label="Recipient" name="to" type="email" value={to} hint="The whole address" />
      <Choice
        label="Status"
        name="status"
        value={status}
        options={[['', 'Any'], ...sendStatuses.map((one) => [one, sendWords[one][0]] as const)]}
      />
      <details open={[from, until, template, key].some(Boolean)}>
        <summary>More filters</summary>
        <div class="filters">
          <Field label="From" name="from" type="datetime-local" value={fieldOf(from)} />
          <Field label="Until" name="until" type="datetime-local" value={fieldOf(until)} />
          <Field label="Template id" name="template" value={template} />
          <Field label="Key id" name="key" value={key} />
        </div>
      </details>
      <p class="buttons">
        <button type="submit" class="main">
          Search
        </button>
        <a href="/console/emails">Show all</a>
      </p>
    </SearchForm>
  );
}

/** The address has a moment as text or as milliseconds; a person may have typed anything. */
const fieldOf = (moment: string | undefined): string | undefined =>
  localField(localMoment(/^\d+$/.test(moment ?? '') ? new Date(Number(moment)).toJSON() : moment));

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
          Looked back until <Moment at={lookedUntil} />.
        </p>
      )}
      <Pager
        nextCursor={nextCursor}
        shown={data.length}
        more={data.length > 0 ? 'Older' : 'Look further back'}
      />
    </>
  );
}

function nothingFound({ nextCursor }: List, isFiltered: boolean) {
  if (nextCursor) return <p>Nothing matches so far. There are older emails to look through.</p>;
  return isFiltered ? (
    <p>
      No email matches. Check the address for a typo, or <a href="/console/emails">show all</a>. An
      email of the last seconds may be missing.
    </p>
  ) : (
    <>
      <p>No email was sent yet.</p>
      <p>
        <a href="/console/settings/identity">Set the domain that you send from</a>, then{' '}
        <a href="/console/settings/keys">make a key</a> for your application. The{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          reference
        </a>{' '}
        shows how it sends.
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
        <th scope="col">Made</th>
      </tr>
    </thead>
    <tbody>
      {sends.map((send) => (
        <tr key={send._id}>
          <td>
            <Badge tone={sendWords[send.status][1]}>{sendWords[send.status][0]}</Badge>
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

function others({ cc, bcc }: Send) {
  const number = cc.length + bcc.length;
  return number === 0 ? null : <span class="quiet">and {number} more</span>;
}
