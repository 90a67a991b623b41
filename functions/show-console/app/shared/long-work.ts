import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { toFailure } from './use-call.ts';

/** Work that takes many requests. It can be stopped and gone on with; leaving the page stops it too. */
export type LongWork<Progress> = {
  readonly progress: Progress | undefined;
  readonly state: 'idle' | 'running' | 'stopped' | 'done';
  readonly failure: ApiFailure | undefined;
  readonly start: () => void;
  readonly goOn: () => void;
  readonly stop: () => void;
};

export type Stride<Progress> = { readonly progress: Progress; readonly isDone: boolean };

/**
 * @param stride does the next part, and says how far the work is. It is repeated where it failed, so it must be safe
 *   to repeat.
 */
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
    goOn: () => void work(progress),
    stop: () => {
      abort.current.abort();
      setState('stopped');
    },
  };
}
