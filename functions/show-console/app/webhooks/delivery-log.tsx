import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ActionButton, Done } from '../shared/buttons.tsx';
import { anyOf, Choice, Labelled, SearchForm } from '../shared/form.tsx';
import { count, duration, isoMoment, localField, localMoment } from '../shared/format.ts';
import { useLongWork, WorkState } from '../shared/long-work.tsx';
import { List } from '../shared/pager.tsx';
import { addressWith, oneOf } from '../shared/paging.ts';
import { LongForeign, Moment, StateBadge } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { type Delivery, deliveryStatuses, deliveryWords, eventTypes } from './deliveries.ts';

const types = [...eventTypes, 'webhook.test'] as const;

/** An endpoint's deliveries, newest first, with each attempt and its answer. */
export function DeliveryLog({
  webhookId: id,
  failingSince,
}: {
  webhookId: string;
  failingSince: number | undefined;
}) {
  const { query, path } = useLocation();
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
          Only events of <a href={`/console/emails/${encodeURIComponent(send)}`}>one email</a>.{' '}
          <a href={path}>Show all deliveries</a>
        </p>
      )}
      <SearchForm
        texts={['status', 'type']}
        kept={{ send }}
        submit="Show"
        beside={
          <button type="button" onClick={log.reload}>
            Refresh
          </button>
        }
      >
        <Choice
          label="Status"
          name="status"
          value={status}
          options={anyOf(deliveryStatuses.map((one) => [one, deliveryWords[one][0]] as const))}
        />
        <Choice
          label="Event"
          name="type"
          value={type}
          options={anyOf(types.map((one) => [one, one] as const))}
        />
      </SearchForm>
      <List
        of={log}
        empty={
          send || status || type
            ? 'No match. Try another status or event.'
            : 'None yet. Send a test, or wait for the next event.'
        }
      >
        {(delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onRedelivered={log.reload} />
        )}
      </List>
    </>
  );
}

const failureWords: ReadonlyMap<string, string> = new Map([
  ['attempts_exhausted', 'all attempts failed'],
  ['endpoint_gone', 'the endpoint answered 410 Gone'],
  ['endpoint_disabled', 'the endpoint was disabled'],
  ['endpoint_deleted', 'the endpoint was deleted'],
]);

/** One delivery, with each attempt and its answer. */
function DeliveryRow({
  delivery,
  onRedelivered,
}: {
  delivery: Delivery;
  onRedelivered: () => void;
}) {
  const { id, type, status, attempts, createdAt, nextAttemptAt, failureReason } = delivery;
  const last = attempts.at(-1);
  const [isRedelivered, setRedelivered] = useState(false);
  const redeliver = async () => {
    await call('POST /api/v1/webhooks/deliveries/{id}/redeliver', { path: { id } });
    announce('Redelivering: the new delivery is at the top of the log');
    setRedelivered(true);
    onRedelivered();
  };
  return (
    <li>
      <StateBadge of={deliveryWords[status]} />
      <span class="wide">
        <code>{type}</code>
        {failureReason && `: ${failureWords.get(failureReason) ?? failureReason}`}
        {nextAttemptAt !== undefined && (
          <>
            , next attempt <Moment at={nextAttemptAt} />
          </>
        )}
        <details>
          <summary>
            {count(attempts.length, 'attempt')}
            {last && `, the last ${outcomeOf(last)}`}
          </summary>
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.at}>
                <Moment at={attempt.at} />: {outcomeOf(attempt)} after{' '}
                {duration(attempt.durationMs)}
                {attempt.answer && (
                  <p class="reply">
                    <LongForeign text={attempt.answer} />
                  </p>
                )}
              </li>
            ))}
          </ol>
          <p class="quiet">
            Delivery <code>{id}</code>, message <code>{delivery.messageId}</code>
            {delivery.redeliveryOf && (
              <>
                , redelivery of <code>{delivery.redeliveryOf}</code>
              </>
            )}
          </p>
        </details>
      </span>
      <Moment at={createdAt} />
      {isRedelivered && <Done>Redelivering</Done>}
      {!isRedelivered && delivery.redeliveredAs && <span class="quiet">Redelivered</span>}
      {!isRedelivered && status !== 'pending' && !delivery.redeliveredAs && (
        <ActionButton label="Redeliver" act={redeliver} />
      )}
    </li>
  );
}

const outcomeOf = ({ statusCode, error = 'no answer' }: Delivery['attempts'][number]): string =>
  statusCode === undefined
    ? (errorWords.get(error) ?? `failed (${error.replaceAll('_', ' ')})`)
    : `answered ${statusCode}`;

const errorWords: ReadonlyMap<string, string> = new Map([
  ['timeout', 'got no answer in time'],
  ['econnrefused', 'was refused: nothing listens there'],
  ['econnreset', 'was cut off'],
  ['name_not_resolved', 'found no address for the host name'],
  ['blocked_address', 'led to a private address, which isn’t allowed'],
  ['tls_error', 'found no valid certificate'],
  ['interrupted', 'was interrupted on our side'],
]);

type Redelivered = Answer<'POST /api/v1/webhooks/{id}/redeliver-failed'>;

const dayMs = 86_400_000;

/** Redelivers everything that failed since a moment: the one in the page's address, or when the endpoint started failing. */
function RedeliverFailed({
  webhookId: id,
  failingSince,
  onDone,
}: {
  webhookId: string;
  failingSince: number | undefined;
  onDone: () => void;
}) {
  const { query, path, route } = useLocation();
  const [dayAgo] = useState(() => Date.now() - dayMs);
  // The field only has whole minutes.
  const since = localMoment(query['since']) ?? wholeMinute(failingSince ?? dayAgo);
  const work = useLongWork(async (before: Redelivered | undefined, signal: AbortSignal) => {
    const body = { since, cursor: before?.nextCursor ?? undefined };
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
    <details open={query['since'] !== undefined}>
      <summary>Redeliver failed deliveries</summary>
      <Labelled label="Failed since">
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            value={localField(since)}
            onChange={(event) => {
              const moment = isoMoment(event.currentTarget.value);
              route(addressWith(path, { ...query, since: moment }), true);
            }}
          />
        )}
      </Labelled>
      {work.state !== 'running' && work.state !== 'stopped' && (
        <button type="button" class="main" onClick={work.start}>
          Redeliver all
        </button>
      )}
      <WorkState work={work}>
        {({ redelivered }) => (
          <p>
            <b>{count(redelivered, 'delivery', 'deliveries')}</b> started again
            {work.state === 'done' ? '. The log shows how they go.' : ' so far.'}
          </p>
        )}
      </WorkState>
    </details>
  );
}

const wholeMinute = (at: number): number => at - (at % 60_000);
