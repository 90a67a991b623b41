import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { dayMs } from '#shared/timing/day';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Labelled } from '../parts/form.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { count, isoMoment, localField, localMoment } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';

type Redelivered = Answer<'POST /api/v1/webhooks/{id}/redeliver-failed'>;
type Failing = {
  webhookId: string;
  failingSince: number | undefined;
  onDone: () => void;
};

/** Opens by its button, or by a link with a start time. */
export function RedeliverFailed(failing: Failing) {
  const { query, path, route } = useLocation();
  const [isOpen, setOpen] = useState(query['since'] !== undefined);
  const close = () => {
    setOpen(false);
    route(addressWith(path, { ...query, since: undefined }), true);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Redeliver failed…
      </button>
      {isOpen && (
        <Dialog title="Redeliver failed deliveries" onClosed={close}>
          <Redelivering {...failing} />
        </Dialog>
      )}
    </>
  );
}

/**
 * Redelivers everything that failed since the moment in the page's address, or else since the endpoint started failing.
 */
function Redelivering({ webhookId: id, failingSince, onDone }: Failing) {
  const { query, path, route } = useLocation();
  const [dayAgo] = useState(() => Date.now() - dayMs);
  // The field only takes whole minutes.
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
    <>
      <p>Each message that this endpoint missed is posted again, under the same webhook-id.</p>
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
      <WorkState work={work}>
        {({ redelivered }) => (
          <p>
            <b>{count(redelivered, 'delivery', 'deliveries')}</b> started again
            {work.state === 'done' ? '. The log shows how they go.' : ' so far.'}
          </p>
        )}
      </WorkState>
      {work.state !== 'running' && work.state !== 'stopped' && (
        <p class="buttons">
          <button type="button" class="main" onClick={work.start}>
            Redeliver all
          </button>
        </p>
      )}
    </>
  );
}

const wholeMinute = (at: number): number => at - (at % 60_000);
