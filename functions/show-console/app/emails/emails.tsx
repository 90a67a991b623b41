import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { loadPages } from '../load-pages.ts';
import { announce } from '../parts/announce.tsx';
import { ExportCsv } from '../parts/export-csv.tsx';
import { Chips, FilterBar, FilterSelect, PeriodChoice, usePeriod } from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Pager, ShownPage } from '../parts/pager.tsx';
import { Empty, Failure } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Dotted, Foreign, Moment, StateBadge, Tag, zoned } from '../parts/text.tsx';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { may } from '../shared/may.ts';
import { namesOf } from '../shared/names.ts';
import { addressWith, maxPerPage, oneOf } from '../shared/paging.ts';
import { mayOpen } from '../shared/places.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import {
  badgeOf,
  chipsWith,
  glyphOf,
  othersIn,
  outcomesIn,
  type Send,
  sendStatuses,
  timesOf,
} from './outcomes.ts';
import { isOfKeys, isPartOfId, namedBy, searchOf, searchText } from './search.ts';
import { SendTest } from './send-test.tsx';
import { isShort, useSearchOn } from './use-search-on.ts';
import { alwaysSaysWhy, whyOf } from './why.ts';

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
  // Names for the templates' ids, which are shown until they load or if the key may not read them.
  const templates = useCall('GET /api/v1/templates', { query: { limit: maxPerPage } });
  const names = namesOf(templates.value?.data);
  const [isLive, setLive] = useState(true);
  // What reads through old emails isn't repeated.
  const isSearched = search !== undefined || (first.value && isShort(first.value));
  const canBeLive = cursor === undefined && !isSearched;
  useFresh(sends.refresh, isLive && canBeLive);
  useEffect(loadEmailPage, []);
  useNamed(cursor === undefined ? namedBy(search, first.value?.data ?? []) : undefined);
  const isFiltered = Object.values(filters).some(Boolean);
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
      <Filters names={names} />
      <ShownPage of={sends}>
        {(list) => (
          <>
            <SearchProgress list={list} searching={searching} />
            <EmailList
              list={list}
              columns={columnsOf(names, list.data, selected)}
              isFiltered={isFiltered}
            />
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

/** Loaded ahead, as someone who sees the list is likely to open an email. If that fails, the router shows it. */
const loadEmailPage = (): void => void loadPages().catch(() => {});

/** Opens an email found by its name instead of showing the search. */
function useNamed(send: Send | undefined): void {
  const { route } = useLocation();
  const id = send?._id;
  useEffect(() => {
    if (id) route(emailPage(id), true);
  }, [id, route]);
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
  list: { data, lookedUntil },
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
        <Dotted>
          {lookedUntil !== null && (
            <span>
              {isSearching ? 'Searching, so far back to ' : 'Searched back to '}
              <Moment at={lookedUntil} />
            </span>
          )}
          {`${data.length} found`}
          <button type="button" class="link" onClick={goOn ?? stop}>
            {goOn ? 'Search further back' : 'Stop'}
          </button>
        </Dotted>
      </p>
    </>
  );
}

function Filters({ names }: { names: ReadonlyMap<string, string> }) {
  const { query, path, route } = useLocation();
  const [keys, setKeys] = useState<ReadonlyMap<string, string>>(new Map());
  const loadKeys = async () => {
    if (keys.size > 0) return keys;
    const { data } = await call('GET /api/v1/api-keys', { query: { limit: maxPerPage } });
    const loaded = namesOf(data);
    setKeys(loaded);
    return loaded;
  };
  const search = async (text: string | undefined) => {
    // Without the scope to list them, keys are known only by their ids.
    const isAsked = isOfKeys(text) && may('GET /api/v1/api-keys');
    const known = isAsked ? await loadKeys().catch(() => keys) : keys;
    const found = searchOf(text, { templates: names, keys: known });
    route(
      'open' in found
        ? emailPage(found.open)
        : addressWith(path, { ...query, cursor: undefined, ...found.filter }),
    );
  };
  return (
    <>
      <FilterBar
        label="Search emails"
        placeholder="Search by address, subject, ID or key"
        value={searchText(query)}
        onSearch={(text) => void search(text)}
      >
        <PeriodChoice />
        <FilterSelect
          name="template"
          label="Template"
          options={[['', 'Any template'], ...[...names]]}
        />
        <May ask="GET /api/v1/api-keys">
          <FilterSelect
            name="key"
            label="API key"
            options={[['', 'Any key'], ...keys]}
            onNear={() => void loadKeys().catch(() => {})}
          />
        </May>
        <FilterSelect
          name="test"
          label="Mode"
          options={[
            ['', 'Live'],
            ['true', 'Test'],
          ]}
        />
      </FilterBar>
      <Chips
        name="outcome"
        label="Outcome"
        chips={chipsWith(query['outcome']).map(([value, text]) => ({ value, text }))}
      />
    </>
  );
}

function EmailList({
  list,
  columns,
  isFiltered,
}: {
  list: List;
  columns: readonly Column<Send>[];
  isFiltered: boolean;
}) {
  const { to } = useLocation().query;
  return (
    <>
      {to && (
        <p>
          <a href={recipientPage(to)}>
            Why didn’t <Foreign text={to} /> get it?
          </a>
        </p>
      )}
      {list.data.length > 0 ? (
        <Table
          label="Emails"
          columns={columns}
          rows={list.data}
          keyOf={({ _id }) => _id}
          hrefOf={({ _id }) => (mayOpen(emailPage(_id)) ? emailPage(_id) : undefined)}
        />
      ) : (
        <Nothing list={list} isFiltered={isFiltered} />
      )}
    </>
  );
}

/** Templates get a column if any email has one and the list has no “Why” column. */
function columnsOf(
  names: ReadonlyMap<string, string>,
  sends: readonly Send[],
  selected: readonly Send['outcome'][],
): readonly Column<Send>[] {
  const saysWhy = alwaysSaysWhy(selected);
  const { head, at } = timesOf(selected);
  return [
    {
      head: 'Status',
      look: 'status',
      cell: (send) => (
        <>
          <StateBadge of={badgeOf(send)} glyph={glyphOf(send)} />
          {send.test && (
            <>
              {' '}
              <Tag>Test</Tag>
            </>
          )}
        </>
      ),
    },
    {
      head: 'To',
      look: 'strong',
      width: 3,
      cell: (send) => (
        <span class="recipients">
          <Foreign text={send.toEmail} most={80} />
          <Others send={send} />
        </span>
      ),
    },
    {
      head: 'Subject',
      isLink: true,
      ...(saysWhy && { width: 2, look: 'yields' }),
      cell: (send) => (
        <>
          <Foreign text={send.subject || '(no subject)'} most={120} />
          {!saysWhy && whyOf(send) && (
            <span class="because">
              <Why send={send} />
            </span>
          )}
        </>
      ),
    },
    ...(saysWhy ? [{ head: 'Why', look: 'why', cell: (send: Send) => <Why send={send} /> }] : []),
    ...(saysWhy || sends.every(({ templateId }) => !templateId) ? [] : [templateColumn(names)]),
    {
      head: zoned(head),
      look: 'end moment',
      cell: (send) => <Moment at={at(send)} inRow />,
    },
  ];
}

const templateColumn = (names: ReadonlyMap<string, string>): Column<Send> => ({
  head: 'Template',
  look: 'roomiest',
  width: 2,
  cell: ({ templateId }) => (
    <Foreign text={templateId ? (names.get(templateId) ?? '') : '—'} most={60} />
  ),
});

function Why({ send }: { send: Send }) {
  const why = whyOf(send);
  return why === undefined ? null : <Foreign text={why} most={160} />;
}

function Others({ send }: { send: Send }) {
  const number = othersIn(send);
  return number === 0 ? null : <span class="quiet">and {number} more</span>;
}

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
          <a href={addressWith(path, { ...query, to: undefined, search: to })}>
            Search for it as part of an address
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
        <PageLink href="/console/settings/requests">Refused requests</PageLink>.
      </p>
    </Empty>
  ) : (
    <Empty title="No emails yet">
      <p>
        Everything you send shows up here, with what became of it.{' '}
        <a href="/console/domains">Add the domain you send from</a>, then{' '}
        <a href="/console/keys">create a key</a> for your application. The{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          docs
        </a>{' '}
        show how to send.
      </p>
    </Empty>
  );
}
