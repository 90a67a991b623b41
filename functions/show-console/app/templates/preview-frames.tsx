import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PreviewWidth } from './preview.tsx';
import { type PreviewInput, previewAddress } from './preview-client.ts';

type Shot = { readonly number: number; readonly input: PreviewInput };

let shots = 0;
const newShot = (input: PreviewInput): Shot => {
  shots += 1;
  return { number: shots, input };
};

/**
 * The HTML as a page of its own. Each one gets a new frame, as the first page of a frame adds nothing to what the back
 * button goes through. The earlier frame stays until the new one has loaded.
 */
export function PreviewFrames({ input, width }: { input: PreviewInput; width: PreviewWidth }) {
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
  // The frame begins with an empty page, which loads too.
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
