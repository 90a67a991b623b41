import { useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { Foreign, LongForeign } from '../shared/text.tsx';
import { partWords, placeOf, type TemplateDraft, templateParts } from './draft.ts';
import { fieldId } from './fields.tsx';
import { MissingVariables } from './missing.tsx';
import { PreviewFrames } from './preview-frames.tsx';
import type { TypedTemplate } from './typed-template.ts';
import type { Preview } from './use-preview.ts';

const widths = [
  ['phone', 'Phone'],
  ['desktop', 'Desktop'],
] as const;
export type PreviewWidth = (typeof widths)[number][0];

/** What will arrive. */
export function TemplatePreview({ shown, typed }: { shown: Preview; typed: TypedTemplate }) {
  const { draft } = typed;
  const { rendered, input, failure } = shown;
  const [width, setWidth] = useState<PreviewWidth>(() =>
    matchMedia('(width < 45rem)').matches ? 'phone' : 'desktop',
  );
  return (
    <section class="preview" aria-labelledby="preview-heading">
      <h2 id="preview-heading">Preview</h2>
      {failure && <Faults failure={failure} draft={draft} />}
      {rendered && (
        <p>
          <span class="quiet">Subject</span>{' '}
          <b>{rendered.subject ? <LongForeign text={rendered.subject} /> : '(none yet)'}</b>
        </p>
      )}
      {rendered && !failure && (
        <MissingVariables typed={typed} missing={rendered.missingVariables} />
      )}
      {rendered?.html !== undefined && input && (
        <>
          <fieldset class="choices">
            <legend class="visually-hidden">Width</legend>
            {widths.map(([value, text]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="width"
                  checked={width === value}
                  onChange={() => setWidth(value)}
                />
                {text}
              </label>
            ))}
          </fieldset>
          <PreviewFrames input={input} width={width} />
          <p class="quiet">
            Links do nothing here. Pictures load from their own hosts, as they do for who gets it.
            Tracking and the footer are added when it is sent.
          </p>
        </>
      )}
      {rendered && (
        // Anew when there is HTML first: what a person opened or closed stays otherwise.
        <details key={`${rendered.html === undefined}`} open={rendered.html === undefined}>
          <summary>
            Plain text{draft.content === '' && rendered.html && ', made of the HTML'}
          </summary>
          <div class="text-body">
            {rendered.content ? (
              <LongForeign text={rendered.content} most={5_000} />
            ) : (
              'Nothing yet: write an HTML body or a text body.'
            )}
          </div>
        </details>
      )}
    </section>
  );
}

/** Why the preview does not follow. The earlier one stays below. */
const Faults = ({ failure, draft }: { failure: ApiFailure; draft: TemplateDraft }) => (
  <div class="notice warn">
    <p>
      <b>The preview waits.</b>{' '}
      {failure.fields.length === 0 && <Foreign text={failure.message} most={500} />}
    </p>
    {failure.fields.map(({ path, message }) => (
      <p key={path}>
        {wordsOf(path)}: <Foreign text={message} most={500} />{' '}
        <button type="button" class="link" onClick={() => goTo(path, draft, message)}>
          Go to the mistake
        </button>
      </p>
    ))}
    {failure.requestId && failure.fields.length === 0 && (
      <p class="quiet">
        Request id: <code>{failure.requestId}</code>
      </p>
    )}
  </div>
);

const partAt = (path: string) => templateParts.find((part) => part === path);

function wordsOf(path: string): string {
  const part = partAt(path);
  return part ? partWords[part] : 'Sample variables';
}

function goTo(path: string, draft: TemplateDraft, message: string): void {
  const field = document.getElementById(fieldId(path));
  field?.focus();
  const part = partAt(path);
  const place = part && placeOf(draft[part], message);
  const canSelect = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (place !== undefined && canSelect) field.setSelectionRange(place, place + 2);
}
