import { useEffect, useRef } from 'preact/hooks';
import { LongForeign, Moment } from '../shared/text.tsx';
import {
  changedParts,
  differenceOf,
  draftOf,
  partWords,
  type Template,
  type TemplateDraft,
  type TemplatePart,
} from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

/** Someone else saved a newer version: it and the typed text, side by side. */
export function TemplateConflict({
  stored,
  draft,
  mine,
  change,
}: {
  stored: Template;
  draft: TemplateDraft;
  /** The text when the newer version turned up. */
  mine: TemplateDraft;
  change: TypedTemplate['change'];
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const theirs = draftOf(stored);
  const parts = changedParts(stored, draft);
  const isAsTyped = changedParts(stored, mine).every((part) => draft[part] === mine[part]);
  return (
    <section class="notice warn conflict">
      <h2 tabIndex={-1} ref={heading}>
        Someone else saved version {stored.version}
      </h2>
      <p>
        They saved it at <Moment at={stored.updatedAt} />, after you started. Yours isn’t saved yet,
        but nothing is lost: the fields hold what you typed. Fields you hadn’t changed hold the
        saved version.
      </p>
      {parts.map((part) => (
        <Difference
          key={part}
          part={part}
          theirs={theirs[part]}
          yours={draft[part]}
          take={() => change({ draft: { ...draft, [part]: theirs[part] } })}
        />
      ))}
      <p>
        {parts.length === 0
          ? 'The fields now hold the saved version.'
          : `“Overwrite version ${stored.version}” replaces it with what’s in the fields.`}
      </p>
      <p class="buttons">
        {parts.length > 0 && (
          <button type="button" onClick={() => change({ draft: theirs })}>
            Take all of version {stored.version}
          </button>
        )}
        {!isAsTyped && (
          <button type="button" onClick={() => change({ draft: mine })}>
            Back to what I typed
          </button>
        )}
      </p>
    </section>
  );
}

function Difference({
  part,
  theirs,
  yours,
  take,
}: {
  part: TemplatePart;
  theirs: string;
  yours: string;
  take: () => void;
}) {
  const { line, one, other } = differenceOf(theirs, yours);
  const place = theirs.includes('\n') || yours.includes('\n') ? `, from line ${line}` : '';
  return (
    <>
      <h3>
        {partWords[part]}
        {place}
      </h3>
      <div class="sides">
        <Side title="Saved" text={one} />
        <Side title="Yours" text={other} />
      </div>
      <p>
        <button type="button" class="small" onClick={take}>
          Take the saved {partWords[part]}
        </button>
      </p>
    </>
  );
}

const Side = ({ title, text }: { title: string; text: string }) => (
  <div>
    <b>{title}</b>
    <div class="reply">{text === '' ? <i>empty</i> : <LongForeign text={text} most={600} />}</div>
  </div>
);
