import { useState } from 'preact/hooks';
import { hunkHeading, lineDifference } from '#shared/templates/line-difference';
import { partsThatDiffer, partWords, type TemplateDraft } from './draft.ts';

/** A field's lines that differ: `-` was removed, `+` is new. */
export function LineDifference({ before, after }: { before: string; after: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = lineDifference(before, after).flatMap((hunk) => [
    hunkHeading(hunk),
    ...hunk.lines.filter((line) => !line.startsWith('\\')),
  ]);
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <div class="diff">
      {shown.map((line, at) => (
        <DiffLine key={at} line={line} />
      ))}
      {shown.length < lines.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString()} lines
        </button>
      )}
    </div>
  );
}

const maxLines = 300;

function DiffLine({ line }: { line: string }) {
  if (line.startsWith('@@')) return <div class="hunk">{line}</div>;
  if (line.startsWith('+')) return <ins>{line}</ins>;
  return line.startsWith('-') ? <del>{line}</del> : <div>{line}</div>;
}

/** Field by field. */
export function DraftDifference({
  before,
  after,
}: {
  before: TemplateDraft;
  after: TemplateDraft;
}) {
  const parts = partsThatDiffer(before, after);
  if (parts.length === 0) return <p>They’re the same.</p>;
  return (
    <>
      {parts.map((path) => (
        <section key={path}>
          <h3>{partWords(path)}</h3>
          <LineDifference before={before[path] ?? ''} after={after[path] ?? ''} />
        </section>
      ))}
    </>
  );
}
