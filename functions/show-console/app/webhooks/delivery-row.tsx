import { useState } from 'preact/hooks';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ActionButton, Done } from '../shared/buttons.tsx';
import { count, duration } from '../shared/format.ts';
import { Badge, LongForeign, Moment } from '../shared/text.tsx';
import { type Delivery, deliveryWords } from '../shared/words.ts';

const failureWords: ReadonlyMap<string, string> = new Map([
  ['attempts_exhausted', 'no attempt got through'],
  ['endpoint_gone', 'the endpoint answered 410 Gone'],
  ['endpoint_disabled', 'the endpoint was disabled'],
  ['endpoint_deleted', 'the endpoint was deleted'],
]);

/** One delivery, with each attempt and what the receiver answered. */
export function DeliveryRow({
  delivery,
  onRepeated,
}: {
  delivery: Delivery;
  onRepeated: () => void;
}) {
  const { id, type, status, attempts, createdAt, nextAttemptAt, failureReason } = delivery;
  const last = attempts.at(-1);
  const [isRepeated, setRepeated] = useState(false);
  const repeat = async () => {
    await call('POST /api/v1/webhooks/deliveries/{id}/redeliver', { path: { id } });
    announce('It is delivered again: the new delivery is at the top of the log');
    setRepeated(true);
    onRepeated();
  };
  return (
    <li>
      <Badge tone={deliveryWords[status][1]}>{deliveryWords[status][0]}</Badge>
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
                , repeats <code>{delivery.redeliveryOf}</code>
              </>
            )}
          </p>
        </details>
      </span>
      <Moment at={createdAt} />
      {isRepeated && <Done>On its way again</Done>}
      {!isRepeated && delivery.redeliveredAs && <span class="quiet">Repeated already</span>}
      {!isRepeated && status !== 'pending' && !delivery.redeliveredAs && (
        <ActionButton label="Redeliver" act={repeat} />
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
  ['econnrefused', 'found nobody who listens there'],
  ['econnreset', 'was cut off'],
  ['name_not_resolved', 'found no address for the name of the host'],
  ['blocked_address', 'led to a private address, which is not called'],
  ['tls_error', 'found no valid certificate'],
  ['interrupted', 'was interrupted on our side'],
]);
