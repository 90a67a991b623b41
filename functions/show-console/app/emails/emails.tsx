import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { Chips, FilterBar, FilterSelect, PeriodSelect, usePeriod } from '../shared/filter-bar.tsx';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { type Column, Table } from '../shared/table.tsx';
import { Badge, Foreign, Moment, StateBadge, zoned } from '../shared/text.tsx';
import { useCall, useFresh } from '../shared/use-call.ts';
import { ExportSends } from './export.tsx';
import { badgeOf, chipsWith, othersIn, outcomes, type Send, sendStatuses } from './outcomes.ts';
import { searchOf, searchText } from './search.ts';
import { SendTest } from './send-test.tsx';

type List = Answer<'GET /api/v1/sends'>;

/** The API's most per page. */
const mostChoices = 100;

/** All emails, newest first, or those that match the page's address. */
export function Emails() {
  const { query } = useLocation();
  const { to, template, key, tag, q, cursor } = query;
  const test = oneOf(['true'] as const, query['test']);
  const outcome = oneOf(outcomes, query['outcome']);
  // Links from the overview ask for a status.
  const status = oneOf(sendStatuses, query['status']);
  const filters = { to, ...usePeriod(), template, key, tag, outcome, status, test };
  const sends = useCall('GET /api/v1/sends', { query: { ...filters, cursor } });
  // Names for the templates' ids; until they load, or if the key may not read them, the ids are shown.
  const templates = useCall('GET /api/v1/templates', { query: { limit: mostChoices } });
  const names = new Map(templates.value?.data.map(({ id, alias, name }) => [id, alias ?? name]));
  const [isLive, setLive] = useState(true);
  const canBeLive = cursor === undefined && q === undefined;
  useFresh(sends.refresh, isLive && canBeLive);
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page
      title={test ? 'Test emails' : 'Emails'}
      beside={test && 'Made with test keys. SES never got them, and they count nowhere.'}
      actions={
        <>
          <ExportSends key={JSON.stringify(filters)} filters={filters} />
          <SendTest />
        </>
      }
    >
      <Filters names={names} />
      {q !== undefined ? (
        <NoSearch text={q} />
      ) : (
        <Shown of={sends}>
          {(list) => (
            <>
              <EmailList list={list} names={names} isFiltered={isFiltered} to={to} />
              <div class="listfoot">
                <p>
                  {list.data.length > 0 && `Showing ${list.data.length}`}
                  {canBeLive && (
                    <>
                      {list.data.length > 0 && ' · '}
                      {isLive ? 'new emails appear by themselves' : 'paused'} ·{' '}
                      <button type="button" class="link" onClick={() => setLive(!isLive)}>
                        {isLive ? 'Pause' : 'Resume'}
                      </button>
                    </>
                  )}
                </p>
                <Pager
                  nextCursor={list.nextCursor}
                  shown={list.data.length}
                  more={list.data.length > 0 ? 'Older' : 'Search further back'}
                />
              </div>
            </>
          )}
        </Shown>
      )}
    </Page>
  );
}

function Filters({ names }: { names: ReadonlyMap<string, string> }) {
  const { query, path, route } = useLocation();
  const [keys, setKeys] = useState<readonly (readonly [id: string, name: string])[]>([]);
  const loadKeys = async () => {
    if (keys.length > 0) return;
    const { data } = await call('GET /api/v1/api-keys', { query: { limit: mostChoices } });
    setKeys(data.map(({ id, name }) => [id, name] as const));
  };
  return (
    <>
      <FilterBar
        label="Search emails"
        placeholder="Search by address, snd_… or tag:name:value"
        value={searchText(query)}
        onSearch={(text) => {
          const search = searchOf(text);
          route(
            'open' in search
              ? `/console/emails/${encodeURIComponent(search.open)}`
              : addressWith(path, { ...query, cursor: undefined, ...search.filter }),
          );
        }}
      >
        <PeriodSelect />
        <FilterSelect
          name="template"
          label="Template"
          options={[['', 'Any template'], ...[...names]]}
        />
        <FilterSelect
          name="key"
          label="API key"
          options={[['', 'Any key'], ...keys]}
          // Without the scope for it, the choice is empty, and the list works.
          onNear={() => void loadKeys().catch(() => {})}
        />
        <FilterSelect
          name="test"
          label="Mode"
          options={[
            ['', 'Live'],
            ['true', 'Test'],
          ]}
        />
      </FilterBar>
      <Chips name="outcome" label="Outcome" options={chipsWith(query['outcome'])} />
    </>
  );
}

const NoSearch = ({ text }: { text: string }) => (
  <Empty title="Type a whole address">
    <p>
      “<Foreign text={text} most={80} />” isn’t an address or the id of an email. Search by whole
      addresses, by ids such as <code>snd_…</code>, or by tags such as <code>tag:kind:reset</code>.
    </p>
  </Empty>
);

function EmailList({
  list,
  names,
  isFiltered,
  to,
}: {
  list: List;
  names: ReadonlyMap<string, string>;
  isFiltered: boolean;
  to: string | undefined;
}) {
  const { data, nextCursor, lookedUntil } = list;
  return (
    <>
      {to && (
        <p>
          <a href={`/console/addresses/${encodeURIComponent(to)}`}>
            Why didn’t <Foreign text={to} /> get it?
          </a>
        </p>
      )}
      {data.length > 0 ? (
        <Table
          label="Emails"
          columns={columnsOf(names)}
          rows={data}
          keyOf={({ _id }) => _id}
          hrefOf={({ _id }) => `/console/emails/${encodeURIComponent(_id)}`}
        />
      ) : (
        <Nothing list={list} isFiltered={isFiltered} />
      )}
      {nextCursor && lookedUntil !== null && (
        <p class="quiet">
          Searched back to <Moment at={lookedUntil} />.
        </p>
      )}
    </>
  );
}

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<Send>[] => [
  {
    head: 'Status',
    look: 'status',
    cell: (send) => (
      <>
        <StateBadge of={badgeOf(send)} />
        {send.test && (
          <>
            {' '}
            <Badge tone="quiet">Test</Badge>
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
      <>
        <Foreign text={send.toEmail} most={80} />
        <Others send={send} />
      </>
    ),
  },
  {
    head: 'Subject',
    isLink: true,
    cell: ({ subject }) => <Foreign text={subject || '(no subject)'} most={120} />,
  },
  {
    head: 'Template',
    look: 'roomy',
    width: 2,
    cell: ({ templateId }) =>
      templateId ? <Foreign text={names.get(templateId) ?? templateId} most={60} /> : '—',
  },
  {
    head: zoned('Sent'),
    look: 'end moment',
    cell: ({ createdAt }) => <Moment at={createdAt} inRow />,
  },
];

function Others({ send }: { send: Send }) {
  const number = othersIn(send);
  return number === 0 ? null : <span class="quiet"> and {number} more</span>;
}

function Nothing({ list: { nextCursor }, isFiltered }: { list: List; isFiltered: boolean }) {
  if (nextCursor) return <Empty title="No match so far">There are older emails to search.</Empty>;
  return isFiltered ? (
    <Empty title="No email matches">
      <p>
        Check the address for typos, or <a href="/console/emails">show all</a>. Emails from the last
        few seconds may be missing, and what the API refused is among the{' '}
        <a href="/console/settings/requests">refused requests</a>.
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
