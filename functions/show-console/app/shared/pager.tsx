import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { announce } from './announce.tsx';
import { openTrail } from './paging.ts';
import { Empty, Shown } from './states.tsx';
import { Table, type TableProps } from './table.tsx';
import type { Called } from './use-call.ts';

const trail = openTrail();

/** Each page has its own address. */
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

type Paged<Item> = Called<{ readonly data: readonly Item[]; readonly nextCursor: string | null }>;

/** A page of a list as a table, or why it's empty, with links to other pages. */
export const PagedTable = <Item,>({
  of,
  empty,
  more,
  ...table
}: Omit<TableProps<Item>, 'rows'> & {
  of: Paged<Item>;
  /** Shown if there's nothing on the last page. */
  empty: ComponentChildren;
  more?: string;
}) => (
  <Shown of={of}>
    {({ data, nextCursor }) => (
      <>
        {data.length > 0 ? (
          <Table {...table} rows={data} />
        ) : nextCursor ? (
          <Empty title="None so far">There are older ones to search.</Empty>
        ) : (
          empty
        )}
        <div class="listfoot">
          <Pager nextCursor={nextCursor} shown={data.length} {...(more && { more })} />
        </div>
      </>
    )}
  </Shown>
);

/** A page of a list, or why it's empty, with links to other pages. */
export const List = <Item,>({
  of,
  empty,
  note,
  more,
  children,
}: {
  of: Paged<Item>;
  /** Shown if there's nothing on the last page. */
  empty: ComponentChildren;
  note?: string;
  more?: string;
  children: (item: Item) => ComponentChildren;
}) => (
  <Shown of={of}>
    {({ data, nextCursor }) => (
      <>
        {data.length === 0 && (
          <Empty>
            {nextCursor ? 'None here. Older entries haven’t been searched yet.' : empty}
          </Empty>
        )}
        <ul class="rows">{data.map(children)}</ul>
        {note && <p class="quiet">{note}</p>}
        <Pager nextCursor={nextCursor} shown={data.length} {...(more && { more })} />
      </>
    )}
  </Shown>
);
