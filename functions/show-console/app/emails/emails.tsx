import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { dayMs } from '#shared/timing/day';
import type { Answer } from '../../../api.ts';
import { announce } from '../parts/announce.tsx';
import { ExportCsv } from '../parts/export-csv.tsx';
import { type Period, usePeriod } from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Pager, ShownPage } from '../parts/pager.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Dotted, Foreign, Moment } from '../parts/text.tsx';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { count, queryMoment } from '../shared/format.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { mayOpen } from '../shared/places.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import { columnsOf, dayOf } from './list-columns.tsx';
import { CountedChips, Filters, metricsQueryOf } from './list-filters.tsx';
import { outcomesIn, type Send, sendStatuses } from './outcomes.ts';
import { isPartOfId, namedBy } from './search.ts';
import { SendTest } from './send-test.tsx';
import { usePeek } from './use-peek.ts';
import { isShort, useSearchOn } from './use-search-on.ts';

type List = Answer<'GET /api/v1/sends'>;

export function Emails() {
  const { query } = useLocation();
  const { to, template, key, tag, search, cursor } = query;
  const test = oneOf(['true'] as const, query['test']);
  const selected = outcomesIn(query['outcome']);
  const outcome = selected.join() || undefined;
  // The overview links to a status.
  const status = oneOf(sendStatuses, query['status']);
  const period = usePeriod();
  const filters = { to, ...period, template, key, tag, outcome, status, search, test };
  const question = { ...filters, cursor };
  const first = useCall('GET /api/v1/sends', { query: question });
  const { sends, ...searching } = useSearchOn(first, question);
  const [isLive, setLive] = useState(true);
  // What reads through old emails isn't repeated.
  const isSearched = search !== undefined || (first.value && isShort(first.value));
  const canBeLive = cursor === undefined && !isSearched;
  useFresh(sends.refresh, { isOn: isLive && canBeLive });
  const [typedLast, setTypedLast] = useState<string>();
  const isWhole = cursor === undefined && search !== typedLast;
  useNamed(isWhole ? namedBy(search, first.value?.data ?? []) : undefined);
  const isFiltered = Object.values(filters).some(Boolean);
  const isAsking = search !== undefined && (first.isLoading || searching.isSearching);
  const isWholeList = sends.value !== undefined && !sends.value.nextCursor && cursor === undefined;
  return (
    <Page
      title={test ? 'Test emails' : 'Emails'}
      beside={test && 'Sent with test keys. SES never got them, and they don’t count toward usage.'}
      actions={
        <>
          <May ask="GET /api/v1/sends/export">
            <ExportCsv
              key={JSON.stringify(filters)}
              route="GET /api/v1/sends/export"
              filters={filters}
              fileName="emails.csv"
              rows={['email', 'emails']}
            />
          </May>
          <May ask="POST /api/v1/emails/send">
            <SendTest />
          </May>
        </>
      }
    >
      <Filters
        progress={isAsking ? shareOf(sends.value?.lookedUntil, period) : undefined}
        onTyped={setTypedLast}
      />
      <CountedChips
        found={search && isWholeList ? sends.value?.data : undefined}
        counted={metricsQueryOf(query, period)}
      />
      <ShownPage of={sends}>
        {(list) => (
          <>
            <SearchProgress list={list} searching={searching} />
            <EmailList key={JSON.stringify(question)} list={list} isFiltered={isFiltered} />
            <div class="listfoot">
              <p>
                <Dotted>
                  {list.data.length > 0 && <span>Showing {list.data.length}</span>}
                  {!isShort(list) && reachOf(list, search)}
                  {selected.length > 0 &&
                    list.data.length > 0 &&
                    'each email is under the last outcome it reached'}
                  {canBeLive && (isLive ? 'new emails appear by themselves' : 'paused')}
                  {canBeLive && (
                    <button type="button" class="link" onClick={() => setLive(!isLive)}>
                      {isLive ? 'Pause' : 'Resume'}
                    </button>
                  )}
                </Dotted>
              </p>
              <Pager nextCursor={isShort(list) ? null : list.nextCursor} period={period} />
            </div>
          </>
        )}
      </ShownPage>
    </Page>
  );
}

/** Opens an email found by its name instead of showing the search. */
function useNamed(send: Send | undefined): void {
  const { route } = useLocation();
  const id = send?._id;
  useEffect(() => {
    if (id) route(emailPage(id), true);
  }, [id, route]);
}

/** Sends are kept for as long. */
const keptMs = 90 * dayMs;

/** How far a search is, by the time that it has looked through. */
function shareOf(lookedUntil: number | null | undefined, { from }: Period): number {
  if (lookedUntil === undefined || lookedUntil === null) return 0.02;
  const now = Date.now();
  const start = queryMoment(from) ?? now - keptMs;
  return Math.max(0.02, Math.min(1, (now - lookedUntil) / (now - start)));
}

/** How far back the list was searched, if its length doesn't say. */
function reachOf({ nextCursor, lookedUntil }: List, search: string | undefined) {
  if (nextCursor === null || lookedUntil === null) return search && 'searched all emails';
  // A full page was read no further than its last email.
  return (
    search && (
      <span>
        searched back to <Moment at={lookedUntil} />
      </span>
    )
  );
}

/** The search goes on by itself, so it says how far it is, and can be stopped. */
function SearchProgress({
  list: { data, looked, lookedUntil },
  searching: { isSearching, failure, stop, goOn },
}: {
  list: List;
  searching: Omit<ReturnType<typeof useSearchOn>, 'sends'>;
}) {
  const wasSearching = useRef(false);
  useEffect(() => {
    if (wasSearching.current && !isSearching) announce(`${data.length} shown`);
    wasSearching.current = isSearching;
  }, [isSearching]);
  if (!isSearching && !goOn) return null;
  return (
    <>
      {failure && <Failure failure={failure} />}
      <p class="quiet searching">
        <span>
          <b>{data.length} found</b> in {count(looked, 'email')}
          {lookedUntil !== null && (
            <>
              , back to <Moment at={lookedUntil} />
            </>
          )}
          {isSearching && data.length > 0 && '. Newest first; more appear below.'}
        </span>
        <button type="button" class="link" onClick={goOn ?? stop}>
          {goOn ? 'Search further back' : 'Stop'}
        </button>
      </p>
    </>
  );
}

/** With the chosen email beside it, where there's room. */
function EmailList({ list, isFiltered }: { list: List; isFiltered: boolean }) {
  const { to, search, outcome } = useLocation().query;
  const selected = outcomesIn(outcome);
  const { id, Peek, choose, close } = usePeek();
  const { data } = list;
  const place = data.findIndex(({ _id }) => _id === id) + 1;
  return (
    <>
      {to && (
        <p>
          <a href={recipientPage(to)}>
            Why didn’t <Foreign text={to} /> get it?
          </a>
        </p>
      )}
      {data.length > 0 ? (
        <div class={id === undefined ? undefined : 'split'}>
          <Table
            label="Emails"
            columns={columnsOf({ sends: data, selected, search })}
            rows={data}
            keyOf={({ _id }) => _id}
            hrefOf={({ _id }) => (mayOpen(emailPage(_id)) ? emailPage(_id) : undefined)}
            groupOf={dayOf(selected)}
            chosen={id}
            onChoose={({ _id }, by) => mayOpen(emailPage(_id)) && choose(_id, by)}
          />
          {id !== undefined && Peek && (
            <Peek id={id} place={place > 0 ? `${place} of ${data.length}` : ''} onClose={close} />
          )}
        </div>
      ) : (
        <Nothing list={list} isFiltered={isFiltered} />
      )}
    </>
  );
}

/** Up to the host, where most typos are: a whole address stands for one person. */
const beginningOf = (email: string): string => email.slice(0, email.lastIndexOf('@') + 1);

const firstCall = (): string => `curl ${location.origin}/api/v1/emails/send \\
  -H "Authorization: Bearer $EMAIL_API_KEY" -H "Content-Type: application/json" \\
  -d '{"to": "you@example.com", "subject": "Hello", "content": "It works."}'`;

function Nothing({ list: { nextCursor }, isFiltered }: { list: List; isFiltered: boolean }) {
  const { path, query } = useLocation();
  const { search, to, test } = query;
  const elsewhere = addressWith(path, { search: search ?? to, test: test ? undefined : 'true' });
  if (nextCursor) return <Empty title="No match so far" />;
  return isFiltered ? (
    <Empty title="No email matches">
      {to && (
        <p>
          No email went to exactly this address.{' '}
          <a href={addressWith(path, { ...query, to: undefined, search: beginningOf(to) })}>
            Search for <Foreign text={beginningOf(to)} most={60} />
          </a>
          .
        </p>
      )}
      {isPartOfId(search) && <p>An ID must be complete: copy all of it.</p>}
      <p>
        {search || to ? (
          <>
            Check for typos, <a href="/console/emails">show all</a>, or search{' '}
            <a href={elsewhere}>{test ? 'real emails' : 'test emails'}</a>
          </>
        ) : (
          <>
            Try other filters, or <a href="/console/emails">show all</a>
          </>
        )}
        . A new email takes a few seconds to show up. If the API rejected it, it’s in{' '}
        <PageLink href="/console/refused">Refused requests</PageLink>.
      </p>
    </Empty>
  ) : (
    <Empty title="Send the first email">
      <p>
        It shows up here within seconds, with each step on its way.{' '}
        <PageLink href="/console/domains">Add the domain you send from</PageLink>, then{' '}
        <PageLink href="/console/keys?do=create">create a key</PageLink> for your application. The{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          docs
        </a>{' '}
        have the other ways.
      </p>
      <pre class="payload">{firstCall()}</pre>
    </Empty>
  );
}
