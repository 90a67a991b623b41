export type Query = Readonly<Record<string, string | undefined>>;

/** Leaves out empty parts, so that the same view always has the same address. */
export function addressWith(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) search.set(name, value);
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
export function openTrail() {
  const cameFrom = new Map<string, string>();
  return {
    links(path: string, query: Query, nextCursor: string | null): PageLinks {
      const here = addressWith(path, query);
      const older = nextCursor ? addressWith(path, { ...query, cursor: nextCursor }) : undefined;
      if (older && older !== here) cameFrom.set(older, here);
      const newest = query['cursor']
        ? addressWith(path, { ...query, cursor: undefined })
        : undefined;
      return { newer: newest && cameFrom.get(here), newest, older };
    },
  };
}
