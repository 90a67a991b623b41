import { afterRound, type RetryRounds } from '#shared/webhook-deliveries/retry-rounds';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton } from '../parts/buttons.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { May } from '../parts/may.tsx';
import { Say } from '../parts/states.tsx';
import { Foreign, Moment, Sentence } from '../parts/text.tsx';
import { count } from '../shared/format.ts';
import type { Delivery } from './deliveries.ts';
import { disabledWords } from './disabled-words.ts';
import { doesText, failuresIn, waitingText } from './waiting-words.ts';

type Endpoint = Answer<'GET /api/v1/webhooks/{id}'>;

/** Asks again and again until nothing waits for later. */
const useRetryAll = (id: string, onDone: () => void) =>
  useLongWork(async (before: RetryRounds | undefined, signal: AbortSignal) => {
    const path = { id };
    const step = await call('POST /api/v1/webhooks/{id}/retry-waiting', { path }, signal);
    const progress = afterRound(before, step);
    const { isDone, pauseMs } = progress;
    if (isDone) onDone();
    else if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return { progress, isDone };
  });

/** The sentence that the page's reader came for, and what they can do. */
export function EndpointAnswer({
  webhook,
  deliveries,
  onChanged,
}: {
  webhook: Endpoint;
  /** The newest ones. */
  deliveries: readonly Delivery[];
  onChanged: () => void;
}) {
  const { id, disabled, paused, health, waiting } = webhook;
  const work = useRetryAll(id, onChanged);
  const change = async (body: { enabled?: boolean; paused?: boolean }, done: string) => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body });
    toast(done);
    onChanged();
  };
  const resume = async () => {
    await change({ paused: false }, 'Deliveries resumed');
    if (waiting.count > 0) work.start();
  };
  return (
    <>
      {disabled ? (
        <Disabled
          webhook={webhook}
          onEnable={() => change({ enabled: true }, 'Endpoint enabled')}
        />
      ) : paused ? (
        <Paused webhook={webhook} onResume={resume} />
      ) : (
        (health.failingSince !== undefined || waiting.count > 0) && (
          <Failing
            webhook={webhook}
            deliveries={deliveries}
            onRetry={work.state === 'running' ? undefined : work.start}
            onPause={() => change({ paused: true }, 'Deliveries paused')}
          />
        )
      )}
      <WorkState work={work}>
        {({ retried, isDone, hasMore }) => (
          <p>
            <b>{count(retried, 'delivery', 'deliveries')}</b>{' '}
            {retried === 1 ? 'is due now.' : 'are due now.'} The first attempts begin within a
            minute, 2 at a time, and more with each quick success.
            {isDone && hasMore && ' More may wait: retry all again in a minute.'}
          </p>
        )}
      </WorkState>
    </>
  );
}

function Disabled({ webhook, onEnable }: { webhook: Endpoint; onEnable: () => Promise<void> }) {
  const { disabled } = webhook;
  if (disabled === undefined) return null;
  return (
    <Say
      tone="bad"
      title={
        <>
          It has received no events since <Moment at={disabled.at} />:{' '}
          {disabledWords[disabled.reason]}
        </>
      }
      actions={
        <May ask="PATCH /api/v1/webhooks/{id}">
          <ActionButton label="Enable" look="main" act={onEnable} />
        </May>
      }
    >
      <p>Once it works, enable it, then redeliver what it missed.</p>
    </Say>
  );
}

const Paused = ({ webhook, onResume }: { webhook: Endpoint; onResume: () => Promise<void> }) => (
  <Say
    tone="warn"
    glyph="wait"
    title={
      <>
        Paused since <Moment at={webhook.pausedAt ?? 0} />:{' '}
        {webhook.waiting.count > 0 ? waitingText(webhook.waiting) : 'nothing waits yet'}
      </>
    }
    actions={
      <May ask="PATCH /api/v1/webhooks/{id}">
        <ActionButton label="Resume and retry all" look="main" act={onResume} />
      </May>
    }
  >
    <p>
      Events are recorded and nothing is attempted, not even a test. What waits keeps its attempts,
      as long as its email is kept.
    </p>
  </Say>
);

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** A retry that is due this soon needs no clock. */
const soonMs = 60_000;

function Failing({
  webhook: { url, waiting, health, maxAttempts },
  deliveries,
  onRetry,
  onPause,
}: {
  webhook: Endpoint;
  deliveries: readonly Delivery[];
  onRetry: (() => void) | undefined;
  onPause: () => Promise<void>;
}) {
  const last = failuresIn(deliveries.slice(0, 1))[0] ?? failuresIn(deliveries)[0];
  const attempt = last?.delivery.attempts.at(-1);
  const { nextAttemptAt, exhaustedFrom } = waiting;
  return (
    <Say
      tone="warn"
      title={
        <>
          {waiting.count > 0 && waitingText(waiting)}
          {health.failingSince !== undefined && (
            <>
              {waiting.count > 0 && ': '}
              <Foreign text={hostOf(url)} most={100} breaks />{' '}
              {attempt ? doesText(attempt) : 'fails'} since <Moment at={health.failingSince} />
            </>
          )}
        </>
      }
      actions={
        <>
          <May ask="PATCH /api/v1/webhooks/{id}">
            <ActionButton label="Pause" look="plain" act={onPause} />
          </May>
          {waiting.count > 0 && (
            <May ask="POST /api/v1/webhooks/{id}/retry-waiting">
              <button type="button" class="main" aria-disabled={!onRetry} onClick={onRetry}>
                Retry all now
              </button>
            </May>
          )}
        </>
      }
    >
      {nextAttemptAt !== undefined && exhaustedFrom !== undefined && (
        <p>
          {nextAttemptAt - Date.now() < soonMs ? (
            'The next attempt comes within a minute by itself.'
          ) : (
            <>
              The next attempt comes at <Moment at={nextAttemptAt} /> by itself.
            </>
          )}{' '}
          If nothing changes, the first has used up its {maxAttempts} attempts at{' '}
          <Moment at={exhaustedFrom} />, and waits for “Redeliver failed…” then. Your emails aren’t
          held up by this.
        </p>
      )}
      {health.failingSince !== undefined && (waiting.count === 0 || health.disabledFrom) && (
        <p>
          <Sentence text={health.outlook} />
        </p>
      )}
    </Say>
  );
}
