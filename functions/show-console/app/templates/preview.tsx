import type { RefObject, TargetedEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { Foreign, LongForeign } from '../parts/text.tsx';
import { count } from '../shared/format.ts';
import { goToPlace } from './code-editor.tsx';
import { partWords, placeOf, textsIn, wordPath } from './draft.ts';
import { fieldId } from './fields.tsx';
import { sampleOf, withMissing } from './sample.ts';
import { Segments } from './segments.tsx';
import { asJson, type TypedTemplate, valuesIn } from './typed-template.ts';
import { type Preview, type PreviewInput, previewAddress } from './use-preview.ts';

const widths = [
  ['phone', 'Phone'],
  ['desktop', 'Desktop'],
] as const;
type PreviewWidth = (typeof widths)[number][0];

export function TemplatePreview({ shown, typed }: { shown: Preview; typed: TypedTemplate }) {
  const { draft, language, kind } = typed;
  const { rendered, input, failure } = shown;
  const [width, setWidth] = useState<PreviewWidth>(() =>
    matchMedia('(width < 45rem)').matches ? 'phone' : 'desktop',
  );
  return (
    <section class="card preview" aria-labelledby="preview-heading">
      <h2 id="preview-heading">Preview{language && ` in ${language}`}</h2>
      {failure && <Faults failure={failure} typed={typed} />}
      {rendered && kind !== 'layout' && (
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
          <Segments
            legend="Width"
            name="width"
            look="widths"
            options={widths}
            chosen={width}
            choose={setWidth}
          />
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
            Plain text
            {!draft[wordPath('content', language)] && rendered.html && ', made from the HTML'}
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
const Faults = ({ failure, typed }: { failure: ApiFailure; typed: TypedTemplate }) => (
  <div class="notice warn">
    <p>
      <b>The preview is paused.</b>{' '}
      {failure.fields.length === 0 && <Foreign text={failure.message} most={500} />}
    </p>
    {failure.fields.map(({ path, message }) => {
      const at = fieldPathOf(path, typed);
      return (
        <p key={path}>
          {at === samplePath ? sampleWords(path) : partWords(at)}:{' '}
          <Foreign text={message} most={500} />{' '}
          <button
            type="button"
            class="link"
            onClick={() => goToPlace(fieldId(at), placeOf(typed.draft[at] ?? '', message))}
          >
            Go to the error
          </button>
        </p>
      );
    })}
    {failure.requestId && failure.fields.length === 0 && (
      <p class="quiet">
        Request ID: <code>{failure.requestId}</code>
      </p>
    )}
  </div>
);

const samplePath = 'sample';

/** A preview has only one language, and calls the sample `variables`. */
function fieldPathOf(path: string, { language, draft }: TypedTemplate): string {
  const [first = '', second = ''] = path.split('.');
  if (first === 'variables') return samplePath;
  if (first === 'declaredVariables') return second ? `variables.${second}` : 'variables';
  if (first === 'subject' || first === 'htmlContent' || first === 'content') {
    return wordPath(first, language);
  }
  return draft[path] === undefined ? samplePath : path;
}

function sampleWords(path: string): string {
  const [, ...rest] = path.split('.');
  return rest.length === 0 ? 'Sample variables' : `Sample variable ${rest.join('.')}`;
}

type Shot = { readonly number: number; readonly input: PreviewInput };

let shots = 0;
const newShot = (input: PreviewInput): Shot => {
  shots += 1;
  return { number: shots, input };
};

/**
 * Each preview gets a new frame, as only a frame's first page stays out of the browser's history. The last frame stays
 * until the new one has loaded.
 */
function PreviewFrames({ input, width }: { input: PreviewInput; width: PreviewWidth }) {
  const [shown, setShown] = useState<Shot>();
  const [next, setNext] = useState<Shot>();
  useEffect(() => setNext(newShot(input)), [input]);
  const all = [shown, next].filter((shot) => shot !== undefined);
  const [frames, room] = useRoom();
  const scale = width === 'desktop' && room > 0 ? Math.min(1, room / desktopWidth) : 1;
  const size = {
    width: `${100 / scale}%`,
    height: `${100 / scale}%`,
    transform: scale < 1 ? `scale(${scale})` : '',
  };
  return (
    <div class={`frames ${width}`} ref={frames}>
      {[...new Set(all)].map((shot) => (
        <Frame
          key={shot.number}
          shot={shot}
          size={size}
          isShown={shot === shown || shown === undefined}
          onLoaded={() => setShown(shot)}
        />
      ))}
    </div>
  );
}

/** Narrower frames show an email's phone layout, so the desktop preview is scaled down as a whole. */
const desktopWidth = 641;

/** Follows the element's width. */
function useRoom(): readonly [RefObject<HTMLDivElement | null>, number] {
  const element = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setRoom(element.current?.clientWidth ?? 0));
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, room];
}

function Frame({
  shot: { number, input },
  size,
  isShown,
  onLoaded,
}: {
  shot: Shot;
  size: { width: string; height: string; transform: string };
  isShown: boolean;
  onLoaded: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  const name = `preview-${number}`;
  // A frame first loads an empty page.
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
        title="Preview of the email"
        // Distinguishes the first, empty page from the preview, whose own policy makes it cross-origin.
        sandbox="allow-same-origin"
        style={size}
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
    const sample = sampleOf(textsIn(draft));
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
