import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { announce } from './announce.tsx';
import { openTrail } from './paging.ts';
import { Empty, Shown } from './states.tsx';
import type { Called } from './use-call.ts';

const trail = openTrail();

/** Pages through a list. Each page has its own address. */
export function Pager({
  nextCursor,
  shown,
  more = 'Older',
}: {
  nextCursor: string | null;
  shown: number;
  more?: string;
}) {
  const { path, query, url } = useLocation();
  const { newer, newest, older } = trail.links(path, query, nextCursor);
  const last = useRef(url);
  useEffect(() => {
    if (last.current === url) return;
    last.current = url;
    announce(`${shown} shown`);
    scrollTo(0, 0);
  }, [url, shown]);
  if (!newest && !older) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      {newer && <a href={newer}>Newer</a>}
      {newest && newest !== newer && <a href={newest}>Back to the first page</a>}
      {older && <a href={older}>{more}</a>}
    </nav>
  );
}

/** One page of a list, or why it's empty, with links to the other pages. */
export const List = <Item,>({
  of,
  empty,
  note,
  more,
  children,
}: {
  of: Called<{ readonly data: readonly Item[]; readonly nextCursor: string | null }>;
  /** Shown when there's nothing on the last page. */
  empty: ComponentChildren;
  note?: string;
  more?: string;
  children: (item: Item) => ComponentChildren;
}) => (
  <Shown of={of}>
    {({ data, nextCursor }) => (
      <>
        {data.length === 0 && (
          <Empty>{nextCursor ? 'None so far. There are older ones to search.' : empty}</Empty>
        )}
        <ul class="rows">{data.map(children)}</ul>
        {note && <p class="quiet">{note}</p>}
        <Pager nextCursor={nextCursor} shown={data.length} {...(more && { more })} />
      </>
    )}
  </Shown>
);
