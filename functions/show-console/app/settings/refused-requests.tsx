import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { late } from '../late.ts';
import {
  FilterBar,
  FilterSelect,
  PeriodChoice,
  useFilters,
  usePeriod,
} from '../parts/filter-bar.tsx';
import { List } from '../parts/pager.tsx';
import { Foreign, Moment } from '../parts/text.tsx';
import { keyPage } from '../shared/addresses.ts';
import { count } from '../shared/format.ts';
import { useKeyNames } from '../shared/names.ts';
import { useCall } from '../shared/use-call.ts';
import { withoutAnswer } from './refusal-meaning.ts';
import { SettingsPage } from './settings-page.tsx';

type Refusal = Answer<'GET /api/v1/requests'>['data'][number];

/** The errors' meanings load only with this page. */
function useMeanings(): (code: string) => string | undefined {
  const [meanings, setMeanings] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    late('errors', () => import('#shared/errors/errors')).then(
      ({ errors }) => {
        const all = Object.entries(errors);
        setMeanings(new Map(all.map(([code, { meaning }]) => [code, meaning])));
      },
      // Without the meanings, each code still links to the reference.
      () => {},
    );
  }, []);
  return (code) => meanings.get(code);
}

export function RefusedRequests() {
  const meaningOf = useMeanings();
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
            meaning={meaningOf(refusal.code)}
          />
        )}
      </List>
    </SettingsPage>
  );
}

/** Renders backticks as `code`. */
const Meaning = ({ text }: { text: string }) => (
  <>
    {text
      .split('`')
      .map((part, place) => (place % 2 === 0 ? part : <code key={place}>{part}</code>))}
  </>
);

type Explained = { refusal: Refusal; keyName: string | undefined; meaning: string | undefined };

function Row({ refusal, keyName, meaning }: Explained) {
  const { apiKeyId, route, status, code, fields, at, requestId, count: times } = refusal;
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
        {meaning && (
          <>
            <br />
            <Meaning text={withoutAnswer(meaning)} />
          </>
        )}
        {fields.length > 0 && (
          <>
            <br />
            {fields.length === 1 ? 'Field' : 'Fields'}:{' '}
            {fields.map((field, index) => (
              <span key={field}>
                {index > 0 && ', '}
                <code>
                  <Foreign text={field} />
                </code>
              </span>
            ))}
          </>
        )}
        <br />
        <span class="quiet">
          {times > 1 && `${count(times, 'request')} in a minute · `}
          Key{' '}
          <a href={keyPage(apiKeyId)}>
            <Foreign text={keyName ?? apiKeyId} />
          </a>{' '}
          · Request ID <code>{requestId}</code>
        </span>
      </span>
      <Moment at={at} />
    </li>
  );
}
