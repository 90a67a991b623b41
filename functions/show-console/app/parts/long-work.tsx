import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { toFailure } from '../shared/use-call.ts';
import { announce } from './announce.tsx';
import { Failure } from './states.tsx';

/** Work that takes many requests. It can be stopped and resumed; leaving the page stops it. */
type LongWork<Progress> = {
  readonly progress: Progress | undefined;
  readonly state: 'idle' | 'running' | 'stopped' | 'done';
  readonly failure: ApiFailure | undefined;
  readonly start: () => void;
  readonly resume: () => void;
  readonly stop: () => void;
};

type Stride<Progress> = { readonly progress: Progress; readonly isDone: boolean };

/** @param stride does the next part and returns the progress. Must be safe to repeat: failed strides are. */
export function useLongWork<Progress>(
  stride: (before: Progress | undefined, signal: AbortSignal) => Promise<Stride<Progress>>,
): LongWork<Progress> {
  const [progress, setProgress] = useState<Progress>();
  const [state, setState] = useState<LongWork<Progress>['state']>('idle');
  const [failure, setFailure] = useState<ApiFailure>();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const work = async (from: Progress | undefined) => {
    abort.current.abort();
    const mine = new AbortController();
    abort.current = mine;
    setState('running');
    setFailure(undefined);
    setProgress(from);
    try {
      let step = await stride(from, mine.signal);
      while (!step.isDone && !mine.signal.aborted) {
        setProgress(step.progress);
        step = await stride(step.progress, mine.signal);
      }
      if (mine.signal.aborted) return;
      setProgress(step.progress);
      setState('done');
    } catch (error) {
      if (mine.signal.aborted) return;
      setFailure(toFailure(error));
      setState('stopped');
    }
  };
  return {
    progress,
    state,
    failure,
    start: () => void work(undefined),
    resume: () => void work(progress),
    stop: () => {
      abort.current.abort();
      setState('stopped');
    },
  };
}

/** With a button to stop and resume. It takes the focus of buttons that have done their work. */
export function WorkState<Progress>({
  work,
  children,
}: {
  work: LongWork<Progress>;
  children: (progress: Progress) => ComponentChildren;
}) {
  const { state, progress, failure } = work;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [state]);
  useEffect(() => {
    if (state === 'done') announce('Done');
    if (state === 'running') announce('Working');
  }, [state]);
  if (state === 'idle') return null;
  return (
    <div class="notice" tabIndex={-1} ref={element} aria-busy={state === 'running'}>
      {state === 'running' && <progress aria-label="Working" />}
      {progress !== undefined && children(progress)}
      {failure && <Failure failure={failure} />}
      {state !== 'done' && (
        <p>
          <button type="button" onClick={state === 'running' ? work.stop : work.resume}>
            {state === 'running' ? 'Stop' : 'Resume'}
          </button>
        </p>
      )}
      {state === 'running' && (
        <p class="quiet">It stops if you leave this page. Finished work is kept.</p>
      )}
    </div>
  );
}
