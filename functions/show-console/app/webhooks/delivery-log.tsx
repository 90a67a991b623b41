import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { type Chip, Chips, FilterSelect, useFilters } from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge, zoned } from '../parts/text.tsx';
import { emailPage } from '../shared/addresses.ts';
import { count, shortTime } from '../shared/format.ts';
import { addressWith, oneOf } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import {
  answerText,
  type Delivery,
  deliveryStatuses,
  eventTypes,
  stateOf,
  subjectOf,
} from './deliveries.ts';
import { DeliveryDialog } from './delivery.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';

type Endpoint = Answer<'GET /api/v1/webhooks/{id}'>;

const types = [...eventTypes, 'webhook.test'] as const;

/** The page of deliveries in the address. The first page stays up to date. */
export function useDeliveries(id: string) {
  const { status, type, send, cursor } = useLocation().query;
  const log = useCall('GET /api/v1/webhooks/{id}/deliveries', {
    path: { id },
    query: { status: oneOf(deliveryStatuses, status), type: oneOf(types, type), send, cursor },
  });
  useFresh(log.refresh, { isOn: cursor === undefined });
  const isWhole = !(status || type || send || cursor);
  return {
    ...log,
    isEmpty: isWhole && log.value?.data.length === 0,
    hasRetries: log.value?.data.some(isRetried) ?? false,
  };
}

const isRetried = ({ status, attempts }: Delivery): boolean =>
  status === 'pending' && attempts.length > 0;

/** The start of the time in which deliveries may have been missed. */
const missedSince = ({ disabled, health: { failingSince } }: Endpoint): number | undefined =>
  failingSince ?? disabled?.at;

/** How many wait is known, if they were all counted. */
const chipsOf = (webhook: Endpoint | undefined): readonly Chip[] => [
  { value: '', text: 'All' },
  {
    value: 'pending',
    text: 'Waiting',
    count: webhook?.waiting.isExact ? webhook.waiting.count : undefined,
    tone: 'warn',
  },
  { value: 'failed', text: 'Failed' },
  { value: 'delivered', text: 'Delivered' },
];

/** Newest first. */
export function DeliveryLog({
  webhook,
  webhookId: id,
  log,
  onRetried,
}: {
  /** Once it's known. */
  webhook: Endpoint | undefined;
  webhookId: string;
  log: ReturnType<typeof useDeliveries>;
  onRetried: () => void;
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
          <RedeliverFailed
            webhookId={id}
            failingSince={webhook && missedSince(webhook)}
            onDone={log.reload}
          />
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
      <Chips name="status" label="Deliveries by state" chips={chipsOf(webhook)} />
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
          onRepeated={() => {
            route(addressOf(), true);
            onRetried();
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
    cell: ({ status, attempts: { length } }) => (
      <StateBadge of={stateOf(status, length)} glyph={status === 'pending' ? 'wait' : undefined} />
    ),
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
      {answerText(last)} ·{' '}
      <span class="quiet">
        {attempts.length > 1 ? count(attempts.length, 'try', 'tries') : shortTime(last.durationMs)}
      </span>
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
