import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../api-client.ts';
import { toFailure } from '../shared/use-call.ts';
import { type PreviewInput, preview, type Rendered } from './preview-client.ts';

/** A draft as it would be sent. While another one is typed, or has a mistake, the earlier one stays. */
export type Preview = {
  readonly rendered: Rendered | undefined;
  /** Of what `rendered` was made. */
  readonly input: PreviewInput | undefined;
  readonly failure: ApiFailure | undefined;
};

/** How long nothing must be typed until the preview follows. */
const pauseMs = 300;

export function usePreview(input: PreviewInput): Preview {
  const [state, setState] = useState<Preview>({
    rendered: undefined,
    input: undefined,
    failure: undefined,
  });
  const isFirst = useRef(true);
  const { subject, htmlContent, content, variables } = input;

  useEffect(() => {
    const abort = new AbortController();
    const typed = { subject, htmlContent, content, variables };
    const render = () => {
      preview(typed, abort.signal).then(
        (rendered) => {
          if (!abort.signal.aborted) setState({ rendered, input: typed, failure: undefined });
        },
        (error: unknown) => {
          if (abort.signal.aborted) return;
          setState((before) => ({ ...before, failure: toFailure(error) }));
        },
      );
    };
    const timer = setTimeout(render, isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [subject, htmlContent, content, variables]);
  return state;
}
