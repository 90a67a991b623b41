import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Answer, call } from '../api-client.ts';
import { count, isoMoment, localField, localMoment } from '../shared/format.ts';
import { useLongWork } from '../shared/long-work.ts';
import { addressWith } from '../shared/paging.ts';
import { WorkState } from '../shared/work.tsx';

type Redelivered = Answer<'POST /api/v1/webhooks/{id}/redeliver-failed'>;

const dayMs = 86_400_000;

/** Repeats all that failed since a moment: one that the address of the page holds, or since the endpoint fails. */
export function RedeliverFailed({
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
  // The field has whole minutes, so this begins at one.
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
      <summary>Redeliver all that failed</summary>
      <p class="field">
        <label for="since">Failed since</label>
        <input
          id="since"
          type="datetime-local"
          value={localField(since)}
          onChange={(event) => {
            const moment = isoMoment(event.currentTarget.value);
            route(addressWith(path, { ...query, since: moment }), true);
          }}
        />
      </p>
      {work.state !== 'running' && work.state !== 'stopped' && (
        <button type="button" class="main" onClick={work.start}>
          Redeliver them
        </button>
      )}
      <WorkState work={work}>
        {({ redelivered }) => (
          <p>
            <b>{count(redelivered, 'delivery', 'deliveries')}</b> set going again
            {work.state === 'done' ? '. That is all. The log shows how they fare.' : ' so far.'}
          </p>
        )}
      </WorkState>
    </details>
  );
}

const wholeMinute = (at: number): number => at - (at % 60_000);
