import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { may } from '../shared/may.ts';
import { leastTyped, typingMs } from '../shared/typing.ts';

type Contact = Answer<'GET /api/v1/contacts'>['data'][number];
type Sends = Answer<'GET /api/v1/sends'>;

export type Finds = {
  readonly contacts: readonly Contact[];
  readonly sends: Sends | undefined;
  readonly isSearching: boolean;
};

const nothing: Finds = { contacts: [], sends: undefined, isSearching: false };

/** Addresses that begin as typed, and the latest emails with its words. Asked once the person pauses. */
export function useFinds(text: string): Finds {
  const [finds, setFinds] = useState(nothing);
  useEffect(() => {
    if (text.length < leastTyped) return setFinds(nothing);
    const abort = new AbortController();
    const add = (found: Partial<Finds>) =>
      abort.signal.aborted || setFinds((before) => ({ ...before, ...found }));
    const timer = setTimeout(async () => {
      add({ isSearching: true });
      const isOneWord = !/\s/.test(text);
      await Promise.allSettled([
        may('GET /api/v1/contacts') &&
          isOneWord &&
          call('GET /api/v1/contacts', { query: { prefix: text, limit: 4 } }, abort.signal).then(
            ({ data }) => add({ contacts: data }),
          ),
        may('GET /api/v1/sends') &&
          call('GET /api/v1/sends', { query: { search: text, limit: 5 } }, abort.signal).then(
            (sends) => add({ sends }),
          ),
      ]);
      add({ isSearching: false });
    }, typingMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  // What was found for other words doesn't stay.
  return text.length < leastTyped ? nothing : finds;
}
