import { call, type Input } from '../api-client.ts';
import { count } from '../shared/format.ts';
import { useLongWork } from '../shared/long-work.ts';
import { saveFile } from '../shared/save-file.ts';
import { Moment } from '../shared/text.tsx';
import { WorkState } from '../shared/work.tsx';
import { sendsHeader, sendsRecords } from './sends-csv.ts';

type Filters = Omit<NonNullable<Input<'GET /api/v1/sends'>['query']>, 'limit' | 'cursor'>;

type Saving = {
  /** What is written so far: the browser may keep it on disk, and no email is kept beside it. */
  readonly file: Blob;
  readonly rows: number;
  readonly cursor: string | undefined;
  readonly lookedUntil: number | null;
};

const name = 'emails.csv';

/** Writes every email that the filters find into a file, page by page. */
export function SaveSends({ filters }: { filters: Filters }) {
  const work = useLongWork(async (before: Saving | undefined, signal: AbortSignal) => {
    const query = { ...filters, limit: 100, cursor: before?.cursor };
    const { data, nextCursor, lookedUntil } = await call('GET /api/v1/sends', { query }, signal);
    const file = new Blob([before?.file ?? sendsHeader, sendsRecords(data)], { type: 'text/csv' });
    const rows = (before?.rows ?? 0) + data.length;
    const isDone = nextCursor === null;
    if (isDone) saveFile(file, name);
    return { progress: { file, rows, cursor: nextCursor ?? undefined, lookedUntil }, isDone };
  });
  const { state, progress } = work;
  return (
    <details>
      <summary>Save as CSV</summary>
      <p>All pages of this list, newest first, with its filters.</p>
      {state !== 'running' && (
        <p class="buttons">
          <button type="button" onClick={work.start}>
            {state === 'idle' ? 'Make the file' : 'Make it anew'}
          </button>
          {progress && progress.rows > 0 && (
            <button type="button" onClick={() => saveFile(progress.file, name)}>
              {state === 'done' ? 'Save it again' : 'Save what there is'}
            </button>
          )}
        </p>
      )}
      <WorkState work={work}>
        {({ rows, lookedUntil }) => (
          <p>
            <b>{count(rows, 'email')}</b>
            {state === 'done'
              ? '. The file is among your downloads.'
              : lookedUntil !== null && (
                  <>
                    , back to <Moment at={lookedUntil} />
                  </>
                )}
          </p>
        )}
      </WorkState>
    </details>
  );
}
