import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton } from '../parts/buttons.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/facts.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { CopyButton, LongForeign, Moment, StateBadge } from '../parts/text.tsx';
import { duration } from '../shared/format.ts';
import { may } from '../shared/may.ts';
import {
  type Attempt,
  answerText,
  type Delivery,
  failureText,
  headersOf,
  indented,
  stateOf,
  subjectOf,
} from './deliveries.ts';

/** What was posted and what came back, attempt by attempt. */
export const DeliveryDialog = ({
  delivery,
  onClosed,
  onRepeated,
}: {
  delivery: Delivery;
  onClosed: () => void;
  /** It's redelivered or retried. */
  onRepeated: () => void;
}) => {
  const { id, type, attempts, payload, redeliveryOf, failureReason } = delivery;
  const subject = subjectOf(delivery);
  return (
    <Dialog title={<code>{type}</code>} look="wide" onClosed={onClosed}>
      <p>
        <StateBadge of={stateOf(delivery.status, delivery.attempts.length)} />{' '}
        <Moment at={delivery.createdAt} />
        {subject && (
          <>
            {' · '}
            <PageLink href={subject.href}>{subject.words}</PageLink>
          </>
        )}
      </p>
      {failureReason && <p>{failureText(failureReason)}</p>}
      {delivery.nextAttemptAt !== undefined && (
        <p>
          Next attempt: <Moment at={delivery.nextAttemptAt} />
        </p>
      )}
      <div class="section">
        <h3>Payload</h3>
        <CopyButton text={payload} what="the payload" />
      </div>
      <pre class="payload">
        <bdi>{indented(payload)}</bdi>
      </pre>
      <p class="quiet">Shown indented. Copy gives the exact text that was posted and signed.</p>
      <h3>Attempts</h3>
      {attempts.length === 0 && <p>None so far.</p>}
      {attempts.map((attempt) => (
        <AttemptPart key={attempt.at} attempt={attempt} delivery={delivery} />
      ))}
      <p class="quiet">
        Delivery <code>{id}</code>
        {redeliveryOf && (
          <>
            , a redelivery of <code>{redeliveryOf}</code>
          </>
        )}
      </p>
      {delivery.status !== 'pending' && may('POST /api/v1/webhooks/deliveries/{id}/redeliver') && (
        <div class="buttons">
          <Redeliver delivery={delivery} onRedelivered={onRepeated} />
        </div>
      )}
      {delivery.status === 'pending' && may('POST /api/v1/webhooks/deliveries/{id}/retry') && (
        <div class="buttons">
          <Retry id={id} onRetried={onRepeated} />
        </div>
      )}
    </Dialog>
  );
};

const AttemptPart = ({ attempt, delivery }: { attempt: Attempt; delivery: Delivery }) => {
  const { at, durationMs, answer } = attempt;
  const headers = headersOf(attempt, delivery);
  return (
    <section class="attempt">
      <p>
        <Moment at={at} /> · <b>{answerText(attempt)}</b> after {duration(durationMs)}
      </p>
      {headers.length > 0 && (
        <dl class="headers" aria-label="Request headers">
          {headers.map(([name, value]) => (
            <Fact key={name} name={`${name}:`}>
              {value}
            </Fact>
          ))}
        </dl>
      )}
      {answer ? (
        <p class="reply">
          <LongForeign text={answer} />
        </p>
      ) : (
        answer === '' && <p class="quiet">The answer had no body.</p>
      )}
    </section>
  );
};

const Retry = ({ id, onRetried }: { id: string; onRetried: () => void }) => (
  <ActionButton
    label="Retry now"
    look="main"
    act={async () => {
      await call('POST /api/v1/webhooks/deliveries/{id}/retry', { path: { id } });
      toast('Retrying: the answer shows in a moment');
      onRetried();
    }}
  />
);

const Redeliver = ({
  delivery: { id, redeliveredAs },
  onRedelivered,
}: {
  delivery: Delivery;
  onRedelivered: () => void;
}) => {
  if (redeliveredAs) {
    return (
      <span class="quiet">
        Redelivered as <code>{redeliveredAs}</code>
      </span>
    );
  }
  return (
    <ActionButton
      label="Redeliver"
      look="main"
      act={async () => {
        await call('POST /api/v1/webhooks/deliveries/{id}/redeliver', { path: { id } });
        toast('Redelivering: the new delivery is at the top');
        onRedelivered();
      }}
    />
  );
};
