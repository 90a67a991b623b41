import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { count } from '../shared/format.ts';
import { saveFile } from '../shared/save-file.ts';

type Page = Answer<'GET /api/v1/contacts/{email}/export'>;
type Exported = { readonly data: Page['data']; readonly cursor: string | undefined };

export const ExportPerson = ({ email }: { email: string }) => (
  <DialogButton label="Export…" title="Export what you have about this person">
    <Export email={email} />
  </DialogButton>
);

function Export({ email }: { email: string }) {
  const save = ({ data }: Exported) =>
    saveFile(
      new Blob([JSON.stringify({ email, records: data }, undefined, 2)], {
        type: 'application/json',
      }),
      'person.json',
    );
  const work = useLongWork(async (before: Exported | undefined) => {
    const query = before?.cursor === undefined ? {} : { cursor: before.cursor };
    const page = await call('GET /api/v1/contacts/{email}/export', { path: { email }, query });
    const cursor = page.nextCursor ?? undefined;
    const progress = { data: [...(before?.data ?? []), ...page.data], cursor };
    const isDone = cursor === undefined;
    if (isDone) save(progress);
    return { progress, isDone };
  });
  const { state, progress } = work;
  return (
    <>
      <p>
        A JSON file for a person who asks: the contact and its choices, suppressions, emails with
        their events, and who changed what. Other recipients and kept contents aren’t in it. The
        audit log records the export.
      </p>
      <WorkState work={work}>
        {({ data }) => (
          <p>
            <b>{count(data.length, 'record')}</b>
            {state === 'done' ? '. The file is in your downloads.' : ' so far'}
          </p>
        )}
      </WorkState>
      {state !== 'running' && (
        <p class="buttons">
          {progress && state === 'done' && (
            <button type="button" onClick={() => save(progress)}>
              Save again
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
