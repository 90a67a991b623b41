import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { toast } from '../shared/announce.tsx';
import { anyOf, ChangeForm, Choice, Field, MomentField, SearchForm } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { oneOf } from '../shared/paging.ts';
import { Foreign, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { Cause } from './cause.tsx';
import { LiftButton } from './lift-button.tsx';
import {
  reasonOptions,
  type Suppression,
  type SuppressionReason,
  suppressionReasons,
  suppressionText,
} from './reasons.ts';

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
      <Filters reason={reason} />
      <List
        of={suppressions}
        empty={
          reason || from || until
            ? 'No match. Try another reason or time.'
            : 'None. Every address can get email.'
        }
      >
        {(one) => <Row key={`${one.contactId} ${one.reason}`} suppression={one} />}
      </List>
    </Page>
  );
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

const Filters = ({ reason }: { reason: SuppressionReason | undefined }) => (
  <SearchForm
    texts={['reason']}
    moments={['from', 'until']}
    submit="Show"
    beside={<a href={here}>Show all</a>}
  >
    <Choice label="Reason" name="reason" value={reason} options={anyOf(reasonOptions)} />
    <MomentField label="From" name="from" />
    <MomentField label="Until" name="until" />
  </SearchForm>
);

const Add = ({ onAdded }: { onAdded: () => void }) => (
  <details>
    <summary>Suppress an address</summary>
    <ChangeForm
      submit="Suppress"
      act={async (typed) => {
        await call('POST /api/v1/suppressions', {
          body: { email: typed('email') ?? '', diagnostic: typed('diagnostic') },
        });
        toast('Address suppressed');
        onAdded();
      }}
    >
      <Field label="Address" name="email" type="email" required />
      <Field label="Reason, in your words" name="diagnostic" hint="Optional: “asked by phone”" />
    </ChangeForm>
  </details>
);
