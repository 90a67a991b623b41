import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { count } from '../shared/format.ts';
import { Foreign, LongForeign } from '../shared/text.tsx';
import { partWords, placeOf, type TemplateDraft, templateParts } from './draft.ts';
import { fieldId } from './fields.tsx';
import { sampleOf, withMissing } from './sample.ts';
import { asJson, type TypedTemplate, textsOf } from './typed-template.ts';
import { type Preview, type PreviewInput, previewAddress } from './use-preview.ts';

const widths = [
  ['phone', 'Phone'],
  ['desktop', 'Desktop'],
] as const;
type PreviewWidth = (typeof widths)[number][0];

/** The email as it will arrive. */
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
            Links don’t work here. Images load from their own hosts, as they do for recipients.
            Tracking and the footer are added on sending.
          </p>
        </>
      )}
      {rendered && (
        // A new key when the first HTML appears; otherwise it stays open or closed as people left it.
        <details key={`${rendered.html === undefined}`} open={rendered.html === undefined}>
          <summary>
            Plain text{draft.content === '' && rendered.html && ', made from the HTML'}
          </summary>
          <div class="text-body">
            {rendered.content ? (
              <LongForeign text={rendered.content} most={5_000} />
            ) : (
              'Nothing yet. Write an HTML body or a text body.'
            )}
          </div>
        </details>
      )}
    </section>
  );
}

/** Why the preview isn't up to date. The last one stays below. */
const Faults = ({ failure, draft }: { failure: ApiFailure; draft: TemplateDraft }) => (
  <div class="notice warn">
    <p>
      <b>The preview is paused.</b>{' '}
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

type Shot = { readonly number: number; readonly input: PreviewInput };

let shots = 0;
const newShot = (input: PreviewInput): Shot => {
  shots += 1;
  return { number: shots, input };
};

/**
 * The HTML in a frame. Each preview gets a new one, as only the first page of a frame stays out of the browser's history.
 * The last frame stays until the new one has loaded.
 */
function PreviewFrames({ input, width }: { input: PreviewInput; width: PreviewWidth }) {
  const [shown, setShown] = useState<Shot>();
  const [next, setNext] = useState<Shot>();
  useEffect(() => setNext(newShot(input)), [input]);
  const all = [shown, next].filter((shot) => shot !== undefined);
  return (
    <div class={`frames ${width}`}>
      {[...new Set(all)].map((shot) => (
        <Frame
          key={shot.number}
          shot={shot}
          isShown={shot === shown || shown === undefined}
          onLoaded={() => setShown(shot)}
        />
      ))}
    </div>
  );
}

function Frame({
  shot: { number, input },
  isShown,
  onLoaded,
}: {
  shot: Shot;
  isShown: boolean;
  onLoaded: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  const name = `preview-${number}`;
  // A frame starts with an empty page, which loads, too.
  const onLoad = ({ currentTarget }: TargetedEvent<HTMLIFrameElement>) => {
    if (currentTarget.contentDocument?.URL !== 'about:blank') onLoaded();
  };
  return (
    <>
      <form
        ref={form}
        hidden
        method="post"
        encType="multipart/form-data"
        action={previewAddress}
        target={name}
      >
        {Object.entries(input).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
      </form>
      <iframe
        name={name}
        title="The email as it will look"
        class={isShown ? '' : 'waiting'}
        onLoad={onLoad}
      />
    </>
  );
}

/** Variables without a value in the sample. */
function MissingVariables({
  typed,
  missing,
}: {
  typed: TypedTemplate;
  missing: readonly string[];
}) {
  if (missing.length === 0) return null;
  const { draft, variables, change } = typed;
  const add = () => {
    const sample = sampleOf(textsOf(draft));
    change({ variables: asJson(withMissing(valuesIn(variables), sample)) });
    announce('Sample completed');
  };
  return (
    <div class="notice warn">
      <p>
        {count(missing.length, 'variable has', 'variables have')} no value, so the email has a gap
        there: <Foreign text={missing.join(', ')} most={400} />
      </p>
      <p>
        <button type="button" class="small" onClick={add}>
          Add to the sample
        </button>
      </p>
    </div>
  );
}

/** Invalid JSON has no values to keep. */
function valuesIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}
