import type { Input } from '../../../api.ts';
import { call } from '../api-client.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { Moment } from '../parts/text.tsx';
import { count } from '../shared/format.ts';
import { mostPerPage } from '../shared/paging.ts';
import { saveFile } from '../shared/save-file.ts';
import { sendsHeader, sendsRecords } from './sends-csv.ts';

type SendFilters = Omit<NonNullable<Input<'GET /api/v1/sends'>['query']>, 'limit' | 'cursor'>;

type Saving = {
  /** What's written so far, as a blob, which the browser may keep on disk. */
  readonly file: Blob;
  readonly rows: number;
  readonly cursor: string | undefined;
  readonly lookedUntil: number | null;
};

const fileName = 'emails.csv';

/** Page by page. */
export const ExportSends = ({ filters }: { filters: SendFilters }) => (
  <DialogButton label="Export CSV" title="Export as CSV">
    <Export filters={filters} />
  </DialogButton>
);

function Export({ filters }: { filters: SendFilters }) {
  const work = useLongWork(async (before: Saving | undefined, signal: AbortSignal) => {
    const query = { ...filters, limit: mostPerPage, cursor: before?.cursor };
    const { data, nextCursor, lookedUntil } = await call('GET /api/v1/sends', { query }, signal);
    const file = new Blob([before?.file ?? sendsHeader, sendsRecords(data)], { type: 'text/csv' });
    const rows = (before?.rows ?? 0) + data.length;
    const isDone = nextCursor === null;
    if (isDone) saveFile(file, fileName);
    return { progress: { file, rows, cursor: nextCursor ?? undefined, lookedUntil }, isDone };
  });
  const { state, progress } = work;
  return (
    <>
      <p>The whole filtered list, newest first. Closing this stops the export.</p>
      <WorkState work={work}>
        {({ rows, lookedUntil }) => (
          <p>
            <b>{count(rows, 'email')}</b>
            {state === 'done'
              ? '. The file is in your downloads.'
              : lookedUntil !== null && (
                  <>
                    , back to <Moment at={lookedUntil} />
                  </>
                )}
          </p>
        )}
      </WorkState>
      {state !== 'running' && (
        <p class="buttons">
          {progress && progress.rows > 0 && (
            <button type="button" onClick={() => saveFile(progress.file, fileName)}>
              {state === 'done' ? 'Save again' : 'Save what’s there'}
            </button>
          )}
          <button type="button" class="main" onClick={work.start}>
            {state === 'idle' ? 'Export' : 'Export again'}
          </button>
        </p>
      )}
    </>
  );
}
