import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from './announce.tsx';
import type { LongWork } from './long-work.ts';
import { Failure } from './states.tsx';

/** How far long work is, with the buttons to stop it and to go on. */
export function WorkState<Progress>({
  work,
  children,
}: {
  work: LongWork<Progress>;
  children: (progress: Progress) => ComponentChildren;
}) {
  const { state, progress, failure } = work;
  useEffect(() => {
    if (state === 'done') announce('Done');
    if (state === 'running') announce('Working');
  }, [state]);
  if (state === 'idle') return null;
  return (
    <div class="notice" aria-busy={state === 'running'}>
      {state === 'running' && <progress aria-label="Working" />}
      {progress !== undefined && children(progress)}
      {failure && <Failure failure={failure} />}
      {state === 'running' && (
        <p>
          <button type="button" onClick={work.stop}>
            Stop
          </button>
        </p>
      )}
      {state === 'stopped' && (
        <p>
          <button type="button" onClick={work.goOn}>
            Go on
          </button>
        </p>
      )}
      {state === 'running' && (
        <p class="quiet">It stops when you leave this page. What is done stays done.</p>
      )}
    </div>
  );
}
