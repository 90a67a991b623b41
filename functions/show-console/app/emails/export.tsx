import type { Input } from '../../../api.ts';
import { refuseFailure, request } from '../api-client.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { joinParts, nextCursorOf, rowsIn } from '../shared/export-parts.ts';
import { count } from '../shared/format.ts';
import { saveFile } from '../shared/save-file.ts';

type SendFilters = Omit<NonNullable<Input<'GET /api/v1/sends/export'>['query']>, 'cursor'>;

type Saving = {
  readonly parts: readonly string[];
  readonly rows: number;
  readonly cursor: string | undefined;
};

/** With the byte order mark that tells spreadsheets it's UTF-8: reading the answer's text drops it. */
const save = ({ parts }: Saving) =>
  saveFile(new Blob(['\ufeff', joinParts(parts)], { type: 'text/csv' }), 'emails.csv');

export const ExportSends = ({ filters }: { filters: SendFilters }) => (
  <DialogButton label="Export CSV" title="Export as CSV">
    <Export filters={filters} />
  </DialogButton>
);

/** The service writes it, so that the audit has it. */
function Export({ filters }: { filters: SendFilters }) {
  const work = useLongWork(async (before: Saving | undefined, signal: AbortSignal) => {
    const query = { ...filters, cursor: before?.cursor };
    const response = await request('GET /api/v1/sends/export', { query }, signal);
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
            <b>{count(rows, 'email')}</b>
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
