import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import {
  FilterBar,
  FilterSelect,
  PeriodChoice,
  useFilters,
  usePeriod,
} from '../parts/filter-bar.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { List } from '../parts/pager.tsx';
import { Foreign, Moment } from '../parts/text.tsx';
import { keyPage } from '../shared/addresses.ts';
import { count } from '../shared/format.ts';
import { useKeyNames } from '../shared/names.ts';
import { useCall } from '../shared/use-call.ts';
import { SettingsPage } from './settings-page.tsx';

type Refusal = Answer<'GET /api/v1/requests'>['data'][number];

export function RefusedRequests() {
  const { key, route, code, cursor } = useLocation().query;
  const { change } = useFilters();
  const period = usePeriod();
  const filters = { key, route, code, ...period };
  const refusals = useCall('GET /api/v1/requests', { query: { ...filters, cursor } });
  const names = useKeyNames();
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <SettingsPage name="Refused requests" lead="What the API refused in the last 30 days, and why.">
      <FilterBar
        label="Search refused requests"
        placeholder="Search by error code, or by endpoint such as POST /api/v1/emails/send"
        value={code ?? route ?? ''}
        onSearch={(text) =>
          change({
            code: text?.includes('/') ? undefined : text,
            route: text?.includes('/') ? text : undefined,
          })
        }
      >
        <PeriodChoice />
        <FilterSelect name="key" label="API key" options={[['', 'Any key'], ...names]} />
      </FilterBar>
      <List
        of={refusals}
        period={period}
        empty={
          isFiltered ? (
            <h2>No match</h2>
          ) : (
            <>
              <h2>Nothing was refused</h2>
              <p>When the API answers a program with 4xx, the reason shows up here.</p>
            </>
          )
        }
        note="Requests without one of your keys, and errors of the service itself, aren’t listed."
      >
        {(refusal) => (
          <Row
            key={`${refusal.requestId} ${refusal.code}`}
            refusal={refusal}
            keyName={names.get(refusal.apiKeyId)}
          />
        )}
      </List>
    </SettingsPage>
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

function Row({ refusal, keyName }: { refusal: Refusal; keyName: string | undefined }) {
  const { apiKeyId, route, status, code, message, at, requestId, count: times } = refusal;
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
