/** The API's maximum. */
export const maxPerPage = 100;

export type Query = Readonly<Record<string, string | undefined>>;

/** Leaves out empty parts, so that the same view always has the same address. */
export function addressWith(
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) search.set(name, `${value}`);
  }
  search.sort();
  const text = `${search}`;
  return text === '' ? path : `${path}?${text}`;
}

/** People type addresses too, so `text` may be anything. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value | undefined => values.find((value) => value === text);

type PageLinks = {
  /** The previous page; `undefined` on the first page, or if the address was opened directly. */
  readonly newer: string | undefined;
  readonly newest: string | undefined;
  readonly older: string | undefined;
};

/**
 * Remembers which page led to which, as the API's cursors only go forward. A page opened directly still links to the
 * first one.
 */
export function createTrail() {
  const cameFrom = new Map<string, { readonly newer: string; readonly first: string }>();
  return {
    /**
     * @param period what the list was asked for. A cursor is valid only with the same filters, and a period such as
     *   “7 d” starts later each time.
     */
    links(path: string, query: Query, nextCursor: string | null, period: Query = {}): PageLinks {
      const here = addressWith(path, query);
      const isFirst = !query['cursor'];
      const before = isFirst ? undefined : cameFrom.get(here);
      const first = before?.first ?? addressWith(path, { ...query, cursor: undefined });
      const older = nextCursor
        ? addressWith(path, { ...query, period: undefined, ...period, cursor: nextCursor })
        : undefined;
      if (older && older !== here) cameFrom.set(older, { newer: here, first });
      return { newer: before?.newer, newest: isFirst ? undefined : first, older };
    },
  };
}
