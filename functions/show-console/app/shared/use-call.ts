import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, ApiFailure, call, type Input, type Operation } from '../api-client.ts';

/** What an endpoint answered. While it is asked anew, the earlier answer stays, and `isLoading` is true. */
export type Called<Value> = {
  readonly value: Value | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type Outcome<Value> = {
  readonly key: string;
  readonly value?: Value | undefined;
  readonly failure?: ApiFailure | undefined;
};

/**
 * Asks an endpoint once, and anew when its input changes or `reload` is called. It never asks by the clock. Only
 * `pages/identity.tsx` does, while a domain is not verified yet.
 */
export function useCall<Name extends Operation>(
  name: Name,
  input: Input<Name>,
): Called<Answer<Name>> {
  const [outcome, setOutcome] = useState<Outcome<Answer<Name>>>({ key: '' });
  const [round, setRound] = useState(0);
  const question = `${name} ${JSON.stringify(input)}`;
  const key = `${round} ${question}`;
  const latest = useRef(input);
  latest.current = input;

  useEffect(() => {
    const abort = new AbortController();
    call(name, latest.current, abort.signal).then(
      (value) => setOutcome({ key, value }),
      (error: unknown) => {
        if (!abort.signal.aborted) setOutcome({ key, failure: toFailure(error) });
      },
    );
    return () => abort.abort();
  }, [key, name]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  const isLoading = outcome.key !== key;
  // Another question's answer must not pass for this one's.
  const isOfThis = outcome.key.slice(outcome.key.indexOf(' ') + 1) === question;
  return {
    value: isOfThis ? outcome.value : undefined,
    failure: isLoading ? undefined : outcome.failure,
    isLoading,
    reload,
  };
}

/** An action of a person: it runs once at a time, and says what went wrong. */
export type Action = {
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

/** A fault of the page itself is shown too, rather than swallowed. */
export const toFailure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure
    ? error
    : new ApiFailure(0, { detail: `The page failed: ${error}. Reload it.` });
