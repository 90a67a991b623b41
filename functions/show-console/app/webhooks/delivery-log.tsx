import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { FilterSelect, useFilters } from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge, zoned } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { shortTime } from '../shared/format.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import {
  answerText,
  type Delivery,
  deliveryStatuses,
  deliveryWords,
  eventTypes,
  stateOf,
  subjectOf,
} from './deliveries.ts';
import { DeliveryDialog } from './delivery.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';

const types = [...eventTypes, 'webhook.test'] as const;

/** The page of deliveries in the address. The first page stays up to date. */
export function useDeliveries(id: string) {
  const { status, type, send, cursor } = useLocation().query;
  const log = useCall('GET /api/v1/webhooks/{id}/deliveries', {
    path: { id },
    query: { status: oneOf(deliveryStatuses, status), type: oneOf(types, type), send, cursor },
  });
  useFresh(log.refresh, cursor === undefined);
  const isWhole = !(status || type || send || cursor);
  return {
    ...log,
    isEmpty: isWhole && log.value?.data.length === 0,
    hasRetries: log.value?.data.some(isRetried) ?? false,
  };
}

const isRetried = ({ status, attempts }: Delivery): boolean =>
  status === 'pending' && attempts.length > 0;

/** Newest first. */
export function DeliveryLog({
  webhookId: id,
  failingSince,
  log,
}: {
  webhookId: string;
  failingSince: number | undefined;
  log: ReturnType<typeof useDeliveries>;
}) {
  const { query, path, route } = useLocation();
  const { status, type, send, delivery: openId } = query;
  const addressOf = (delivery?: string) => addressWith(path, { ...query, delivery });
  // New deliveries may push it off the page while someone reads it.
  const last = useRef<Delivery | undefined>(undefined);
  const open = [...(log.value?.data ?? []), last.current].find((one) => one?.id === openId);
  last.current = open;
  return (
    <>
      <div class="section">
        <h2>Deliveries</h2>
        <May ask="POST /api/v1/webhooks/{id}/redeliver-failed">
          <RedeliverFailed webhookId={id} failingSince={failingSince} onDone={log.reload} />
        </May>
      </div>
      {send && (
        <p class="notice callout">
          <span>
            Only about <a href={emailPage(send)}>one email</a>.
          </span>
          <a class="button" href={path}>
            Show all deliveries
          </a>
        </p>
      )}
      <Filters onRefresh={log.reload} />
      <PagedTable
        of={log}
        label="Deliveries"
        columns={columns}
        keyOf={(delivery) => delivery.id}
        hrefOf={(delivery) => addressOf(delivery.id)}
        empty={send || status || type ? <NoMatch /> : <NoneYet />}
      />
      {open && (
        <DeliveryDialog
          key={open.id}
          delivery={open}
          onClosed={() => route(addressOf(), true)}
          onRedelivered={() => {
            route(addressOf(), true);
            log.reload();
          }}
        />
      )}
    </>
  );
}

function Filters({ onRefresh }: { onRefresh: () => void }) {
  return (
    <search class="filterbar">
      <FilterSelect
        name="status"
        label="Status"
        options={[
          ['', 'Any status'],
          ...deliveryStatuses.map((one) => [one, deliveryWords[one][0]] as const),
        ]}
      />
      <FilterSelect
        name="type"
        label="Event"
        options={[['', 'Any event'], ...types.map((one) => [one, one] as const)]}
      />
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
    </search>
  );
}

const columns: readonly Column<Delivery>[] = [
  {
    head: 'Status',
    cell: (delivery) => <StateBadge of={stateOf(delivery.status, delivery.attempts.length)} />,
    look: 'status',
  },
  {
    head: 'Event',
    cell: ({ type }) => <code>{type}</code>,
    look: 'strong',
    isLink: true,
    width: 3,
  },
  { head: 'About', cell: About, look: 'roomy' },
  { head: 'Answer', cell: LastAnswer, width: 2 },
  { head: 'Attempts', cell: ({ attempts }) => attempts.length, look: 'end roomy', width: 1 },
  {
    head: zoned('Created'),
    cell: ({ createdAt }) => <Moment at={createdAt} inRow />,
    look: 'end moment',
  },
];

function About(delivery: Delivery) {
  const subject = subjectOf(delivery);
  return subject ? <Foreign text={subject.name} most={80} /> : '';
}

function LastAnswer({ attempts }: Delivery) {
  const last = attempts.at(-1);
  if (last === undefined) return <span class="quiet">None yet</span>;
  return (
    <>
      {answerText(last)} · <span class="quiet">{shortTime(last.durationMs)}</span>
    </>
  );
}

function NoMatch() {
  const { addressOf } = useFilters();
  return (
    <Empty title="No matching deliveries">
      <p>
        <a href={addressOf({ status: undefined, type: undefined, send: undefined })}>
          Show all deliveries
        </a>
      </p>
    </Empty>
  );
}

const NoneYet = () => (
  <Empty title="No deliveries yet">
    <p>
      Each event that this endpoint subscribes to shows here, with what was posted and what your
      server answered. Send a test to see one.
    </p>
  </Empty>
);
