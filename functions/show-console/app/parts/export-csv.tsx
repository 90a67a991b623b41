import type { Input } from '../../../api.ts';
import { refuseFailure, request } from '../api-client.ts';
import { joinParts, nextCursorOf, rowsIn } from '../shared/export-parts.ts';
import { count } from '../shared/format.ts';
import { saveFile } from '../shared/save-file.ts';
import { DialogButton } from './dialog.tsx';
import { useLongWork, WorkState } from './long-work.tsx';

/** Those whose file is the list above, as filtered. */
type ExportRoute = 'GET /api/v1/sends/export' | 'GET /api/v1/audit/export';

type Exported<R extends ExportRoute> = {
  route: R;
  filters: Omit<NonNullable<Input<R>['query']>, 'cursor'>;
  fileName: string;
  /** What a row is, and several. */
  rows: readonly [one: string, several: string];
};

type Saving = {
  readonly parts: readonly string[];
  readonly rows: number;
  readonly cursor: string | undefined;
};

export const ExportCsv = <R extends ExportRoute>(exported: Exported<R>) => (
  <DialogButton label="Export CSV" title="Export as CSV">
    <Export {...exported} />
  </DialogButton>
);

/** The service writes it, so that the audit has it. */
function Export<R extends ExportRoute>({ route, filters, fileName, rows: names }: Exported<R>) {
  // With the byte order mark that tells spreadsheets it's UTF-8: reading the answer's text drops it.
  const save = ({ parts }: Saving) =>
    saveFile(new Blob(['\ufeff', joinParts(parts)], { type: 'text/csv' }), fileName);
  const work = useLongWork(async (before: Saving | undefined, signal: AbortSignal) => {
    const query = { ...filters, cursor: before?.cursor };
    const response = await request(route, { query }, signal);
    await refuseFailure(response);
    const cursor = nextCursorOf(response.headers.get('Link'));
    const part = await response.text();
    const parts = [...(before?.parts ?? []), part];
    const progress = { parts, rows: (before?.rows ?? 0) + rowsIn(part), cursor };
    const isDone = cursor === undefined;
    if (isDone) save(progress);
    return { progress, isDone };
  });
  const { state, progress } = work;
  return (
    <>
      <p>
        The whole filtered list, newest first. The audit log records it. Closing this stops the
        export.
      </p>
      <WorkState work={work}>
        {({ rows }) => (
          <p>
            <b>{count(rows, ...names)}</b>
            {state === 'done' ? '. The file is in your downloads.' : ' so far'}
          </p>
        )}
      </WorkState>
      {state !== 'running' && (
        <p class="buttons">
          {progress && progress.rows > 0 && (
            <button type="button" onClick={() => save(progress)}>
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
