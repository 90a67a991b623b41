import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ChangeForm, Choice, Field, SearchForm } from '../shared/form.tsx';
import { isoMoment, localField, localMoment } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { Pager } from '../shared/pager.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { Cause } from './cause.tsx';
import { LiftButton } from './lift-button.tsx';
import { reasonWords, type Suppression, suppressionReasons, suppressionText } from './reasons.ts';

const here = '/console/suppressions';

/** Which addresses no longer get email, and why. */
export function Suppressions() {
  const { query } = useLocation();
  const { from, until, cursor } = query;
  const reason = oneOf(suppressionReasons, query['reason']);
  const suppressions = useCall('GET /api/v1/suppressions', {
    query: { from, until, cursor, reason },
  });
  return (
    <Page
      title="Suppressions"
      lead="Addresses that no longer get email: they had a hard bounce, complained or unsubscribed, or your team blocked them."
    >
      <p class="buttons">
        <a href={`${here}/lift`}>Lift many</a>
        <a href={`${here}/move`}>Import or export</a>
      </p>
      <Add onAdded={suppressions.reload} />
      <Filters />
      <Shown of={suppressions}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && <Empty>{nothing(nextCursor, query)}</Empty>}
            <ul class="rows">
              {data.map((one) => (
                <Row key={`${one.contactId} ${one.reason}`} suppression={one} />
              ))}
            </ul>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function nothing(nextCursor: string | null, { reason, from, until }: Record<string, string>) {
  if (nextCursor) return 'None so far. There are older ones to search.';
  return reason || from || until
    ? 'No match. Try another reason or time.'
    : 'None. Every address can get email.';
}

function Row({ suppression }: { suppression: Suppression }) {
  const { email, reason, at, diagnostic, possible } = suppression;
  return (
    <li>
      <span class="wide">
        {email === null ? (
          <span class="quiet">An erased person</span>
        ) : (
          <a href={`/console/addresses/${encodeURIComponent(email)}`}>
            <Foreign text={email} />
          </a>
        )}
        <Cause reason={reason} diagnostic={diagnostic} possible={possible} />
      </span>
      <span>{suppressionText(suppression)}</span>
      <Moment at={at} />
      {email !== null && <LiftButton email={email} reason={reason} />}
    </li>
  );
}

function Filters() {
  const { query, route } = useLocation();
  const { reason, from, until } = query;
  return (
    <SearchForm
      key={JSON.stringify([reason, from, until])}
      onSearch={(typed) =>
        route(
          addressWith(here, {
            reason: typed('reason'),
            from: isoMoment(typed('from')),
            until: isoMoment(typed('until')),
          }),
        )
      }
    >
      <Choice
        label="Reason"
        name="reason"
        value={reason}
        options={[
          ['', 'Any'],
          ...suppressionReasons.map((one) => [one, reasonWords[one]] as const),
        ]}
      />
      <Field label="From" name="from" type="datetime-local" value={localField(localMoment(from))} />
      <Field
        label="Until"
        name="until"
        type="datetime-local"
        value={localField(localMoment(until))}
      />
      <p class="buttons">
        <button type="submit" class="main">
          Show
        </button>
        <a href={here}>Show all</a>
      </p>
    </SearchForm>
  );
}

const Add = ({ onAdded }: { onAdded: () => void }) => (
  <details>
    <summary>Suppress an address</summary>
    <ChangeForm
      submit="Suppress"
      act={async (typed) => {
        await call('POST /api/v1/suppressions', {
          body: { email: typed('email') ?? '', diagnostic: typed('diagnostic') },
        });
        announce('Address suppressed');
        onAdded();
      }}
    >
      <Field label="Address" name="email" type="email" required />
      <Field label="Reason, in your words" name="diagnostic" hint="Optional: “asked by phone”" />
    </ChangeForm>
  </details>
);
