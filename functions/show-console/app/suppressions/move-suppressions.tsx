import { useRef, useState } from 'preact/hooks';
import { call, refuseFailure, request } from '../api-client.ts';
import { Choice, Form, Labelled } from '../parts/form.tsx';
import { useLongWork, WorkState } from '../parts/long-work.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Foreign } from '../parts/text.tsx';
import { joinParts, nextCursorOf } from '../shared/export-parts.ts';
import { count } from '../shared/format.ts';
import { oneOf } from '../shared/paging.ts';
import { saveFile } from '../shared/save-file.ts';
import { addReport, type ImportReport } from './csv.ts';
import { reasonOptions, type SuppressionReason, suppressionReasons } from './reasons.ts';

const maxBytes = 6_000_000;
const shownRefusals = 50;

/** Imports another service's file, or exports one. */
export const MoveSuppressions = () => (
  <Page
    title="Import and export suppressions"
    lead="Bring your previous service’s suppression list before you send your first email here."
  >
    <Card title="Import">
      <Import />
    </Card>
    <Card title="Export">
      <Export />
    </Card>
  </Page>
);

type Chosen = {
  readonly text: string;
  readonly reason: SuppressionReason | undefined;
  readonly turn: number;
};

function Import() {
  const [chosen, setChosen] = useState<Chosen>();
  const [fault, setFault] = useState<string>();
  const turns = useRef(0);
  return (
    <>
      <p>
        A CSV export from SendGrid, Mailgun, Postmark, Amazon SES or this service, up to 10,000 rows
        and 6 MB. It’s safe to import a file twice.
      </p>
      <Form
        onSubmit={async (event) => {
          const form = new FormData(event.currentTarget);
          const file = form.get('file');
          if (!(file instanceof File)) return;
          setChosen(undefined);
          setFault(undefined);
          if (file.size > maxBytes) return setFault('The file is larger than 6 MB. Split it.');
          const reason = oneOf(suppressionReasons, `${form.get('reason')}`);
          turns.current += 1;
          const turn = turns.current;
          try {
            setChosen({ text: await file.text(), reason, turn });
          } catch {
            // Browsers refuse a file that has changed since it was chosen.
            setFault('The file has changed. Choose it again.');
          }
        }}
      >
        <Labelled label="File" path="file">
          {(control) => (
            <input {...control} name="file" type="file" accept=".csv,text/csv" required />
          )}
        </Labelled>
        <Choice label="Reason" name="reason" options={[['', 'As in the file'], ...reasonOptions]} />
        {fault && (
          <p class="notice bad" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" class="main">
          Continue
        </button>
      </Form>
      {chosen && <Importing key={chosen.turn} chosen={chosen} />}
    </>
  );
}

function Importing({ chosen: { text, reason } }: { chosen: Chosen }) {
  const work = useLongWork(async (before: ImportReport | undefined, signal: AbortSignal) => {
    const input = { query: { reason }, body: text };
    const next = await call('POST /api/v1/suppressions/import', input, signal);
    return { progress: addReport(before, next), isDone: next.isComplete };
  });
  return (
    <>
      {work.state === 'idle' && (
        <p>
          <button type="button" class="main" onClick={work.start}>
            Import {count(text.trim().split('\n').length, 'line')}
          </button>
        </p>
      )}
      <WorkState work={work}>{(report) => <Report report={report} />}</WorkState>
    </>
  );
}

const Report = ({ report: { imported, unchanged, refused } }: { report: ImportReport }) => (
  <>
    <p>
      <b>{count(imported, 'address', 'addresses')}</b> suppressed, {unchanged.toLocaleString()}{' '}
      already were, {count(refused.length, 'row')} rejected.
    </p>
    {refused.length > 0 && (
      <ul>
        {refused.slice(0, shownRefusals).map(({ line, message }) => (
          <li key={line}>
            Line {line}: <Foreign text={message} />
          </li>
        ))}
        {refused.length > shownRefusals && <li>and {refused.length - shownRefusals} more</li>}
      </ul>
    )}
  </>
);

type Exported = { readonly parts: readonly string[]; readonly cursor: string | undefined };

function Export() {
  const [reason, setReason] = useState<SuppressionReason>();
  const work = useLongWork(async (before: Exported | undefined, signal: AbortSignal) => {
    const query = { reason, cursor: before?.cursor };
    const response = await request('GET /api/v1/suppressions/export', { query }, signal);
    await refuseFailure(response);
    const cursor = nextCursorOf(response.headers.get('Link'));
    const parts = [...(before?.parts ?? []), await response.text()];
    if (cursor === undefined)
      saveFile(new Blob([joinParts(parts)], { type: 'text/csv' }), 'suppressions.csv');
    return { progress: { parts, cursor }, isDone: cursor === undefined };
  });
  return (
    <>
      <Labelled label="Reason">
        {(control) => (
          <select
            {...control}
            onChange={(event) => setReason(oneOf(suppressionReasons, event.currentTarget.value))}
          >
            <option value="">Any</option>
            {reasonOptions.map(([one, text]) => (
              <option key={one} value={one}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      {work.state !== 'running' && (
        <button type="button" class="main" onClick={work.start}>
          Export as CSV
        </button>
      )}
      <WorkState work={work}>
        {({ parts }) => (
          <p>
            {work.state === 'done'
              ? 'The file is in your downloads.'
              : `${count(parts.length, 'part')} of up to 10,000 rows read.`}
          </p>
        )}
      </WorkState>
    </>
  );
}
