import { useEffect, useRef } from 'preact/hooks';
import { Moment } from '../parts/text.tsx';
import { LineDifference } from './difference.tsx';
import {
  changedParts,
  draftOf,
  partWords,
  type Template,
  type TemplateDraft,
  withPartOf,
} from './draft.ts';
import type { TypedTemplate } from './typed-template.ts';

/** Someone else saved a newer version: shows its differences from the text being edited. */
export function TemplateConflict({
  stored,
  draft,
  mine,
  change,
}: {
  stored: Template;
  draft: TemplateDraft;
  /** The text when the newer version was found. */
  mine: TemplateDraft;
  change: TypedTemplate['change'];
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const theirs = draftOf(stored);
  const parts = changedParts(stored, draft);
  const isAsTyped = changedParts(stored, mine).every((path) => draft[path] === mine[path]);
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
      {parts.map((path) => (
        <section key={path}>
          <h3>{partWords(path)}, from the saved one to yours</h3>
          <LineDifference before={theirs[path] ?? ''} after={draft[path] ?? ''} />
          <p>
            <button
              type="button"
              class="small"
              onClick={() => change({ draft: withPartOf(draft, theirs, path) })}
            >
              Use the saved {partWords(path)}
            </button>
          </p>
        </section>
      ))}
      <p>
        {parts.length === 0
          ? 'The fields now hold the saved version.'
          : `“Overwrite version ${stored.version}” replaces it with what’s in the fields.`}
      </p>
      <p class="buttons">
        {parts.length > 0 && (
          <button type="button" onClick={() => change({ draft: theirs })}>
            Use all of version {stored.version}
          </button>
        )}
        {!isAsTyped && (
          <button type="button" onClick={() => change({ draft: mine })}>
            Back to my version
          </button>
        )}
      </p>
    </section>
  );
}
