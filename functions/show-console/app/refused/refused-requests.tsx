import { useLocation } from 'preact-iso/router';
import { errors } from '#shared/errors/errors';
import type { Answer } from '../../../api.ts';
import {
  FilterBar,
  FilterSelect,
  PeriodChoice,
  useFilters,
  usePeriod,
} from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { List } from '../parts/pager.tsx';
import { Say } from '../parts/states.tsx';
import { Foreign, Moment } from '../parts/text.tsx';
import { keyPage } from '../shared/addresses.ts';
import { count } from '../shared/format.ts';
import { useKeyNames } from '../shared/names.ts';
import { useCall } from '../shared/use-call.ts';
import { refusedAlike, searched } from './summary.ts';

type RefusalPage = Answer<'GET /api/v1/requests'>;
type Refusal = RefusalPage['data'][number];
type KeyNames = ReturnType<typeof useKeyNames>;

/** Why a program gets 400. */
export function RefusedRequests() {
  const { key, route, code, requestId, cursor } = useLocation().query;
  const { change } = useFilters();
  const period = usePeriod();
  const filters = { key, route, code, requestId, ...period };
  const refusals = useCall('GET /api/v1/requests', { query: { ...filters, cursor, limit: '50' } });
  const names = useKeyNames();
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page
      title="Refused requests"
      beside="What the API refused in the last 30 days, and why"
      answer={
        refusals.value &&
        refusals.value.data.length > 0 && (
          <Summary page={refusals.value} names={names} isFirst={cursor === undefined} />
        )
      }
    >
      <FilterBar
        label="Search refused requests"
        placeholder="Error code, request ID, or endpoint such as POST /api/v1/emails/send"
        value={code ?? route ?? requestId ?? ''}
        onSearch={(text) => change(searched(text))}
      >
        <PeriodChoice />
        <FilterSelect name="key" label="API key" options={[['', 'Any key'], ...names]} />
      </FilterBar>
      <List
        of={refusals}
        period={period}
        empty={
          isFiltered ? (
            <>
              <h2>No match</h2>
              {requestId && (
                <p>
                  A request that wasn’t refused isn’t here. Of many alike in a minute, the last nine
                  are found.
                </p>
              )}
            </>
          ) : (
            <>
              <h2>Nothing was refused</h2>
              <p>When the API answers a program with 4xx, the reason shows up here.</p>
            </>
          )
        }
        note="Kept for 30 days, without the values that were sent. Requests without one of your keys, and errors of the service itself, aren’t listed."
      >
        {(refusal) => (
          <Row
            key={`${refusal.requestId} ${refusal.code} ${refusal.fields}`}
            refusal={refusal}
            keyName={names.get(refusal.apiKeyId)}
          />
        )}
      </List>
    </Page>
  );
}

/** More aren't read at a glance. */
const mostNamed = 3;

/** The answer to “why does it get 400?”, of what's shown. */
function Summary({
  page: { data, nextCursor },
  names,
  isFirst,
}: {
  page: RefusalPage;
  names: KeyNames;
  isFirst: boolean;
}) {
  const { addressOf } = useFilters();
  const groups = refusedAlike(data);
  const [oldest] = data.slice(-1);
  const rest = groups.length - mostNamed;
  const usual = data.find(
    ({ code, apiKeyId }) => code === groups[0]?.code && apiKeyId === groups[0].apiKeyId,
  );
  const title = (
    <>
      {groups.slice(0, mostNamed).map(({ code, apiKeyId, count: times }, place) => (
        <span key={`${code} ${apiKeyId}`}>
          {place > 0 && ', '}
          <a href={addressOf({ code, key: apiKeyId, route: undefined, requestId: undefined })}>
            {code}
          </a>{' '}
          {times === 1 ? 'once' : count(times, 'time')} from{' '}
          <Foreign text={names.get(apiKeyId) ?? apiKeyId} />
        </span>
      ))}
      {rest > 0 && `, and ${count(rest, 'other')}`}
    </>
  );
  return (
    <Say tone="warn" title={title}>
      {usual && (
        <p>
          {groups.length > 1 && `${usual.code}, the last time: `}
          <Message text={usual.message} />
        </p>
      )}
      {!(isFirst && nextCursor === null) && oldest && (
        <p>
          Counted on this page, back to <Moment at={oldest.at} />.
        </p>
      )}
    </Say>
  );
}

/** Renders backticks as `code`. */
const Message = ({ text }: { text: string }) => (
  <>
    {text.split('`').map((part, place) =>
      place % 2 === 0 ? (
        <Foreign key={place} text={part} most={400} breaks />
      ) : (
        <code key={place}>
          <Foreign text={part} />
        </code>
      ),
    )}
  </>
);

const facts: Readonly<Record<string, { readonly meaning: string }>> = errors;

function Row({ refusal, keyName }: { refusal: Refusal; keyName: string | undefined }) {
  const { apiKeyId, route, status, code, message, at, requestId, count: times, shape } = refusal;
  // Without faulty fields the message is what to do.
  const isAboutFields = refusal.fields.length > 0 && code !== 'validation_failed';
  const meaning = isAboutFields ? facts[code]?.meaning : undefined;
  return (
    <li>
      <span class="wide">
        <b>
          {status}{' '}
          <a href={`/docs/api/errors#${code}`} target="_blank" rel="noreferrer">
            {code}
          </a>
        </b>{' '}
        <code>{route}</code>
        <br />
        <Message text={message} />
        {meaning !== undefined && (
          <>
            <br />
            <span class="quiet">
              <Message text={meaning} />
            </span>
          </>
        )}
        {shape !== undefined && (
          <>
            <br />
            <span class="quiet">
              Body:{' '}
              <code>
                <Foreign text={shape} most={1_000} breaks />
              </code>
            </span>
          </>
        )}
        <br />
        <span class="quiet">
          {times > 1 && `${count(times, 'request')} in a minute · `}
          Key{' '}
          <PageLink href={keyPage(apiKeyId)}>
            <Foreign text={keyName ?? apiKeyId} />
          </PageLink>{' '}
          · Request ID <code>{requestId}</code>
        </span>
      </span>
      <Moment at={at} />
    </li>
  );
}
