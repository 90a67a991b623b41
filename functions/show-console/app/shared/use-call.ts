import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Input, Route } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { NotArrived } from './arrival.ts';
import { noteCall } from './calls-made.ts';

/** During a reload, the last answer stays and `isLoading` is true. */
export type Called<Value> = {
  readonly value: Value | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Reloads without showing it. If that fails, the last answer stays. */
  readonly refresh: () => void;
};

type Outcome<Value> = {
  readonly key: string;
  readonly value?: Value | undefined;
  readonly failure?: ApiFailure | undefined;
};

/**
 * Calls an endpoint, and again when the input changes or `reload` is called. `useFresh` keeps the answer up to date.
 */
export function useCall<R extends Route>(route: R, input: Input<R>): Called<Answer<R>> {
  const [outcome, setOutcome] = useState<Outcome<Answer<R>>>({ key: '' });
  const [round, setRound] = useState(0);
  const question = `${route} ${JSON.stringify(input)}`;
  const key = `${round} ${question}`;
  const latest = useRef(input);
  latest.current = input;
  const current = useRef(key);
  current.current = key;

  useEffect(() => {
    const abort = new AbortController();
    const forget = noteCall(route, latest.current);
    call(route, latest.current, abort.signal).then(
      (value) => setOutcome({ key, value }),
      (error: unknown) => {
        if (!abort.signal.aborted) setOutcome({ key, failure: toFailure(error) });
      },
    );
    return () => {
      forget();
      abort.abort();
    };
  }, [key, route]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  const refresh = useCallback(() => {
    const asked = current.current;
    call(route, latest.current).then(
      (value) => asked === current.current && setOutcome({ key: asked, value }),
      () => {},
    );
  }, [route]);
  const isLoading = outcome.key !== key;
  // The last answer must not pass for the answer to a new question.
  const isOfThis = outcome.key.slice(outcome.key.indexOf(' ') + 1) === question;
  return {
    value: isOfThis ? outcome.value : undefined,
    failure: isLoading ? undefined : outcome.failure,
    isLoading,
    reload,
    refresh,
  };
}

/** One at a time. */
type Action = {
  readonly run: () => void;
  readonly isRunning: boolean;
  readonly failure: ApiFailure | undefined;
};

export function useAction(act: () => Promise<void>): Action {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const busy = useRef(false);
  const run = () => {
    if (busy.current) return;
    busy.current = true;
    setRunning(true);
    setFailure(undefined);
    act()
      .catch((error: unknown) => setFailure(toFailure(error)))
      .finally(() => {
        busy.current = false;
        setRunning(false);
      });
  };
  return { run, isRunning, failure };
}

/** Shows the page's own errors too. */
export const toFailure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure
    ? error
    : new ApiFailure(0, {
        detail:
          error instanceof NotArrived ? error.message : `The page failed: ${error}. Reload it.`,
      });
