import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Input } from '../../../api.ts';
import { type ApiFailure, call } from '../api-client.ts';
import { type Called, toFailure } from '../shared/use-call.ts';

type List = Answer<'GET /api/v1/sends'>;
type Question = Input<'GET /api/v1/sends'>['query'];

/** The API's default. */
const pageLength = 20;

/** Some days of a busy organization: a forgotten tab doesn't read through years. */
const mostLooked = 200_000;

/** There are older emails that may belong on the page. */
export const isShort = ({ data, nextCursor }: List): boolean =>
  nextCursor !== null && data.length < pageLength;

type Search = {
  /** With all that was found and looked at since the first answer. */
  readonly sends: Called<List>;
  readonly isSearching: boolean;
  readonly failure: ApiFailure | undefined;
  readonly stop: () => void;
  /** There only after a stop, a failure or many emails. */
  readonly goOn: (() => void) | undefined;
};

type Further = {
  readonly first: List;
  readonly list: List;
  /** How many emails the search has looked at since it was begun or went on. */
  readonly looked: number;
  readonly isStopped: boolean;
  readonly failure?: ApiFailure | undefined;
};

/**
 * One request searches only so many emails. Where its page isn't full and there are older ones, this asks on, until the
 * page is full or the person stops it.
 */
export function useSearchOn(sends: Called<List>, question: Question): Search {
  const [further, setFurther] = useState<Further>();
  const latest = useRef(question);
  latest.current = question;
  const first = sends.value;
  const here = first && further?.first === first ? further : begunAt(first);
  const isUnfinished = here !== undefined && isShort(here.list);
  const isSearching = isUnfinished && !here.isStopped;

  useEffect(() => {
    if (!here || !isSearching) return;
    const { list } = here;
    const abort = new AbortController();
    const query = {
      ...latest.current,
      cursor: list.nextCursor ?? undefined,
      limit: pageLength - list.data.length,
    };
    call('GET /api/v1/sends', { query }, abort.signal).then(
      (page) => setFurther(advanced(here, page)),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setFurther({ ...here, isStopped: true, failure: toFailure(error) });
      },
    );
    return () => abort.abort();
  }, [here?.list, isSearching]);

  return {
    sends: here ? { ...sends, value: here.list } : sends,
    isSearching,
    failure: here?.failure,
    stop: () => here && setFurther({ ...here, isStopped: true }),
    goOn:
      isUnfinished && here.isStopped
        ? () => setFurther({ ...here, looked: 0, isStopped: false, failure: undefined })
        : undefined,
  };
}

const begunAt = (first: List | undefined): Further | undefined =>
  first && { first, list: first, looked: first.looked, isStopped: false };

const advanced = ({ first, list, looked }: Further, page: List): Further => ({
  first,
  list: { ...page, data: [...list.data, ...page.data], looked: list.looked + page.looked },
  looked: looked + page.looked,
  isStopped: looked + page.looked >= mostLooked,
});
