import { useLocation } from 'preact-iso/router';
import { Choice, SearchForm } from '../shared/form.tsx';
import { Pager } from '../shared/pager.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { useCall } from '../shared/use-call.ts';
import { deliveryStatuses, deliveryWords, webhookEvents } from '../shared/words.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';

const types = [...webhookEvents, 'webhook.test'] as const;

/** What an endpoint was told, newest first, with each attempt and what it answered. */
export function DeliveryLog({
  webhookId: id,
  failingSince,
}: {
  webhookId: string;
  failingSince: number | undefined;
}) {
  const { query, path, route } = useLocation();
  const status = oneOf(deliveryStatuses, query['status']);
  const type = oneOf(types, query['type']);
  const { send } = query;
  const log = useCall('GET /api/v1/webhooks/{id}/deliveries', {
    path: { id },
    query: { status, type, send, cursor: query['cursor'] },
  });
  return (
    <>
      <RedeliverFailed webhookId={id} failingSince={failingSince} onDone={log.reload} />
      {send && (
        <p class="notice">
          Only what tells of <a href={`/console/emails/${encodeURIComponent(send)}`}>one email</a>.{' '}
          <a href={path}>Show the whole log</a>
        </p>
      )}
      <SearchForm
        key={`${status} ${type}`}
        onSearch={(typed) =>
          route(addressWith(path, { send, status: typed('status'), type: typed('type') }))
        }
      >
        <Choice
          label="Status"
          name="status"
          value={status}
          options={[
            ['', 'Any'],
            ...deliveryStatuses.map((one) => [one, deliveryWords[one][0]] as const),
          ]}
        />
        <Choice
          label="What it was told"
          name="type"
          value={type}
          options={[['', 'Anything'], ...types.map((one) => [one, one] as const)]}
        />
        <p class="buttons">
          <button type="submit" class="main">
            Show
          </button>
          <button type="button" onClick={log.reload}>
            Look again
          </button>
        </p>
      </SearchForm>
      <Shown of={log}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && (
              <Empty>
                {nextCursor
                  ? 'None so far. There are older ones to look through.'
                  : send || status || type
                    ? 'No delivery of this kind.'
                    : 'No delivery. Send a test, or wait for the next event.'}
              </Empty>
            )}
            <ul class="rows">
              {data.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} onRepeated={log.reload} />
              ))}
            </ul>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </>
  );
}
