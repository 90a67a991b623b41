/** The search part of an address, by name. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Writes an address; what is empty is left out, so that the same view has the same address. */
export function addressWith(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value) search.set(name, value);
  }
  search.sort();
  const text = `${search}`;
  return text === '' ? path : `${path}?${text}`;
}

/** The one of `values` that `text` is: an address is typed by people too. */
export const oneOf = <Value extends string>(
  values: readonly Value[],
  text: string | undefined,
): Value | undefined => values.find((value) => value === text);

export type PageLinks = {
  /** The page before; `undefined` on the first one, and where the page was entered by its address. */
  readonly newer: string | undefined;
  readonly newest: string | undefined;
  readonly older: string | undefined;
};

/**
 * Remembers which page led to which: a cursor of the API leads on, never back. The memory is small, and a page that
 * was entered by its address alone still has a way to the first one.
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
export type Trail = ReturnType<typeof openTrail>;
