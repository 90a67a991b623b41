import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { Field, MomentField, SearchForm } from '../shared/form.tsx';
import { count } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { keyAddress } from './audit-entry.ts';

type Refusal = Answer<'GET /api/v1/requests'>['data'][number];

/** The API's most per page. */
const mostKeys = 100;

/** Why a program gets 400. */
export function RefusedRequests() {
  const { key, route, code, from, until, cursor } = useLocation().query;
  const filters = { key, route, code, from, until };
  const refusals = useCall('GET /api/v1/requests', { query: { ...filters, cursor } });
  // Names for the keys' ids; until they load, the ids are shown.
  const keys = useCall('GET /api/v1/api-keys', { query: { limit: mostKeys } });
  const names = new Map(keys.value?.data.map(({ id, name }) => [id, name]));
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page
      title="Refused requests"
      lead="Why a program gets 400: what the API refused in the last 30 days. What was in the requests isn’t kept."
    >
      <SearchForm
        texts={['code', 'route', 'key']}
        moments={['from', 'until']}
        submit="Search"
        beside={<a href="/console/settings/requests">Show all</a>}
      >
        <Field label="Error code" name="code" value={code} hint="Such as validation_failed" />
        <Field
          label="Endpoint"
          name="route"
          value={route}
          hint="Such as POST /api/v1/emails/send"
        />
        <Field label="Key id" name="key" value={key} />
        <details open={[from, until].some(Boolean)}>
          <summary>More filters</summary>
          <div class="filters">
            <MomentField label="From" name="from" />
            <MomentField label="Until" name="until" />
          </div>
        </details>
      </SearchForm>
      <List
        of={refusals}
        empty={isFiltered ? 'None match.' : 'Nothing was refused.'}
        note="Requests without a key of yours aren’t among these, nor faults of the service."
      >
        {(refusal) => (
          <Row
            key={`${refusal.requestId} ${refusal.code}`}
            refusal={refusal}
            keyName={names.get(refusal.apiKeyId)}
          />
        )}
      </List>
    </Page>
  );
}

/** The reference says what each code means, and what to do. */
function Row({ refusal, keyName }: { refusal: Refusal; keyName: string | undefined }) {
  const { apiKeyId, route, status, code, fields, at, requestId, count: times } = refusal;
  return (
    <li>
      <span class="wide">
        <b>
          {status}{' '}
          <a href={`/docs#error-${code}`} target="_blank" rel="noreferrer">
            {code}
          </a>
        </b>{' '}
        <code>{route}</code>
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
          {count(times, 'request')} in this minute, with{' '}
          <a href={keyAddress(apiKeyId)}>
            <Foreign text={keyName ?? apiKeyId} />
          </a>
          . The last: <code>{requestId}</code>
        </span>
      </span>
      <Moment at={at} />
    </li>
  );
}
