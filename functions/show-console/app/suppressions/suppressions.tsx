import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { Chips, FilterBar, PeriodChoice, usePeriod } from '../parts/filter-bar.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Badge, Foreign, Moment, zoned } from '../parts/text.tsx';
import { recipientPage } from '../shared/addresses.ts';
import { may } from '../shared/may.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { mayOpen } from '../shared/places.ts';
import { useCall } from '../shared/use-call.ts';
import { causeText } from './cause.tsx';
import { LiftButton } from './lift-button.tsx';
import {
  reasonOptions,
  reasonTones,
  type Suppression,
  suppressionReasons,
  suppressionText,
} from './reasons.ts';

const rarerPages = [
  ['/console/suppressions/lift', 'Lift many'],
  ['/console/suppressions/move', 'Import or export'],
] as const;

export function Suppressions() {
  const { query, route } = useLocation();
  const { cursor } = query;
  const period = usePeriod();
  const reason = oneOf(suppressionReasons, query['reason']);
  const rarer = rarerPages.filter(([address]) => mayOpen(address));
  const suppressions = useCall('GET /api/v1/suppressions', {
    query: { ...period, cursor, reason },
  });
  return (
    <Page
      title="Suppressions"
      beside="Addresses that no longer get email"
      actions={
        <>
          {rarer.length > 0 && (
            <More>
              {rarer.map(([address, text]) => (
                <a key={address} class="button" href={address}>
                  {text}
                </a>
              ))}
            </More>
          )}
          <May ask="POST /api/v1/suppressions">
            <Add onAdded={suppressions.reload} />
          </May>
        </>
      }
    >
      <FilterBar
        label="Look up an address"
        placeholder="Look up an address: is it suppressed, and why?"
        value=""
        onSearch={(text) => {
          if (text) route(recipientPage(text));
        }}
      >
        <PeriodChoice />
      </FilterBar>
      <Chips
        name="reason"
        label="Reason"
        chips={[['', 'All'] as const, ...reasonOptions].map(([value, text]) => ({ value, text }))}
      />
      <PagedTable
        label="Suppressions"
        of={suppressions}
        period={period}
        columns={may('DELETE /api/v1/suppressions/{email}') ? [...columns, actions] : columns}
        keyOf={({ contactId, reason: why, at }) => `${contactId} ${why} ${at}`}
        hrefOf={({ email }) => (email === null ? undefined : recipientPage(email))}
        empty={
          reason || period.from || period.until ? (
            <Empty title="No match">Try another reason or time.</Empty>
          ) : (
            <Empty title="No suppressions">
              Hard bounces, complaints, unsubscribes and addresses your team blocks show up here.
            </Empty>
          )
        }
      />
    </Page>
  );
}

const columns: readonly Column<Suppression>[] = [
  {
    head: 'Reason',
    look: 'status wider',
    cell: (one) => (
      <Badge tone={reasonTones[one.reason]} glyph={one.reason === 'complaint' ? 'flag' : undefined}>
        {suppressionText(one)}
      </Badge>
    ),
  },
  {
    head: 'Address',
    look: 'strong',
    width: 4,
    isLink: true,
    cell: ({ email }) =>
      email === null ? 'An erased person' : <Foreign text={email} most={120} />,
  },
  {
    head: 'Details',
    look: 'why beside',
    cell: (one) => {
      const text = causeText(one);
      return (
        <>
          {text && <Foreign text={text} most={160} />}
          {one.messageId && (
            <>
              {' '}
              <a href={addressWith('/console/emails', { search: one.messageId })}>The email</a>
            </>
          )}
        </>
      );
    },
  },
  {
    head: zoned('Since'),
    look: 'end moment',
    cell: ({ at }) => <Moment at={at} inRow />,
  },
];

const actions: Column<Suppression> = {
  head: <span class="visually-hidden">Actions</span>,
  look: 'end action',
  cell: ({ email, reason }) =>
    email !== null && <LiftButton email={email} reason={reason} isInRow />,
};

const Add = ({ onAdded }: { onAdded: () => void }) => (
  <DialogButton
    label="Suppress an address"
    title="Suppress an address"
    look="main"
    opensBy="suppress"
  >
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
      <Field label="Reason" name="diagnostic" hint="Optional. For your team: “asked by phone”." />
    </ChangeForm>
  </DialogButton>
);
