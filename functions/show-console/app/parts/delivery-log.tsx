import { useLocation } from 'preact-iso/router';
import { type Answer, call } from '../api-client.ts';
import { count, duration, isoMoment, localField, localMoment } from '../format.ts';
import { useLongWork } from '../long-work.ts';
import { addressWith, oneOf } from '../paging.ts';
import { useCall } from '../use-call.ts';
import { type Delivery, deliveryStatuses, deliveryWords, webhookEvents } from '../words.ts';
import { announce } from './announce.tsx';
import { ActionButton } from './confirm.tsx';
import { Choice, SearchForm } from './form.tsx';
import { Pager } from './pager.tsx';
import { Empty, Shown } from './states.tsx';
import { Badge, LongForeign, Moment } from './text.tsx';
import { WorkState } from './work.tsx';

const types = [...webhookEvents, 'webhook.test'] as const;

/** What an endpoint was told, newest first, with each attempt and what it answered. */
export function DeliveryLog({ webhookId: id }: { webhookId: string }) {
  const { query, path, route } = useLocation();
  const status = oneOf(deliveryStatuses, query['status']);
  const type = oneOf(types, query['type']);
  const log = useCall('GET /api/v1/webhooks/{id}/deliveries', {
    path: { id },
    query: { status, type, cursor: query['cursor'] },
  });
  return (
    <>
      <RedeliverFailed webhookId={id} onDone={log.reload} />
      <SearchForm
        key={`${status} ${type}`}
        onSearch={(typed) =>
          route(addressWith(path, { status: typed('status'), type: typed('type') }))
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
                  : 'No delivery. Send a test, or wait for the next event.'}
              </Empty>
            )}
            <ul class="rows">
              {data.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} onRepeated={log.reload} />
              ))}
            </ul>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </>
  );
}

function Row({ delivery, onRepeated }: { delivery: Delivery; onRepeated: () => void }) {
  const { id, type, status, attempts, createdAt, nextAttemptAt, failureReason } = delivery;
  const repeat = async () => {
    await call('POST /api/v1/webhooks/deliveries/{id}/redeliver', { path: { id } });
    announce('It is delivered again: the new delivery is at the top of the log');
    onRepeated();
  };
  return (
    <li>
      <Badge tone={deliveryWords[status][1]}>{deliveryWords[status][0]}</Badge>
      <span class="wide">
        <code>{type}</code>
        {failureReason && <> {failureReason.replaceAll('_', ' ')}</>}
        {nextAttemptAt !== undefined && (
          <>
            {' '}
            next attempt <Moment at={nextAttemptAt} />
          </>
        )}
        <details>
          <summary>{count(attempts.length, 'attempt')}</summary>
          <ol>
            {attempts.map(({ at, durationMs, statusCode, error, answer }) => (
              <li key={at}>
                <Moment at={at} />: {statusCode ?? error?.replaceAll('_', ' ')} after{' '}
                {duration(durationMs)}
                {answer && (
                  <p class="reply">
                    <LongForeign text={answer} />
                  </p>
                )}
              </li>
            ))}
          </ol>
          <p class="quiet">
            Delivery <code>{id}</code>, message <code>{delivery.messageId}</code>
            {delivery.redeliveryOf && (
              <>
                , repeats <code>{delivery.redeliveryOf}</code>
              </>
            )}
          </p>
        </details>
      </span>
      <Moment at={createdAt} />
      {status === 'failed' && delivery.redeliveredAs && <span class="quiet">Repeated already</span>}
      {status !== 'pending' && !delivery.redeliveredAs && (
        <ActionButton label="Redeliver" act={repeat} />
      )}
    </li>
  );
}

type Redelivered = Answer<'POST /api/v1/webhooks/{id}/redeliver-failed'>;

/** Repeats all that failed since a moment, which the address of the page holds. */
function RedeliverFailed({ webhookId: id, onDone }: { webhookId: string; onDone: () => void }) {
  const { query, path, route } = useLocation();
  const since = localMoment(query['since']);
  const work = useLongWork(async (before: Redelivered | undefined, signal: AbortSignal) => {
    const body = { since: since ?? Date.now(), cursor: before?.nextCursor ?? undefined };
    const next = await call(
      'POST /api/v1/webhooks/{id}/redeliver-failed',
      { path: { id }, body },
      signal,
    );
    const redelivered = (before?.redelivered ?? 0) + next.redelivered;
    if (next.nextCursor === null) onDone();
    return { progress: { ...next, redelivered }, isDone: next.nextCursor === null };
  });
  return (
    <details open={since !== undefined}>
      <summary>Redeliver all that failed</summary>
      <p class="field">
        <label for="since">Failed since</label>
        <input
          id="since"
          type="datetime-local"
          value={localField(since) ?? ''}
          onChange={(event) => {
            const moment = isoMoment(event.currentTarget.value);
            route(addressWith(path, { ...query, since: moment }), true);
          }}
        />
      </p>
      {since !== undefined && work.state !== 'running' && work.state !== 'stopped' && (
        <button type="button" class="main" onClick={work.start}>
          Redeliver them
        </button>
      )}
      <WorkState work={work}>
        {({ redelivered }) => (
          <p>{count(redelivered, 'delivery', 'deliveries')} set going again.</p>
        )}
      </WorkState>
    </details>
  );
}
