import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { createTrail } from '../shared/paging.ts';
import type { Called } from '../shared/use-call.ts';
import { announce } from './announce.tsx';
import type { Period } from './filter-bar.tsx';
import { Empty, Shown } from './states.tsx';
import { Table, type TableProps } from './table.tsx';

const trail = createTrail();

/** Each page has its own address. */
export function Pager({
  nextCursor,
  period = {},
  more = 'Older',
}: {
  nextCursor: string | null;
  period?: Period | undefined;
  more?: string | undefined;
}) {
  const { path, query } = useLocation();
  const { newer, newest, older } = trail.links(path, query, nextCursor, period);
  if (!newest && !older) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      {newer && <a href={newer}>Newer</a>}
      {newest && newest !== newer && <a href={newest}>Back to the first page</a>}
      {older && <a href={older}>{more}</a>}
    </nav>
  );
}

type PageOf<Item> = { readonly data: readonly Item[]; readonly nextCursor: string | null };

/** A page of a list. If it fails, as with a cursor that has become invalid, there's a way to the first one. */
export function ShownPage<Page extends PageOf<unknown>>({
  of,
  children,
}: {
  of: Called<Page>;
  children: (page: Page) => ComponentChildren;
}) {
  useArrival(of.value?.data.length);
  return (
    <>
      <Shown of={of}>{children}</Shown>
      {of.failure && <Pager nextCursor={null} />}
    </>
  );
}

/** Says how many entries the next page has, or the next choice of filters, and shows a page from its top. */
function useArrival(shown: number | undefined) {
  const { cursor } = useLocation().query;
  const last = useRef<{ readonly cursor: string | undefined } | undefined>(undefined);
  const isShown = shown !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const before = last.current;
    last.current = { cursor };
    if (before === undefined) return;
    announce(`${shown} shown`);
    if (before.cursor !== cursor) scrollTo(0, 0);
  }, [isShown]);
}

/** A page of a list as a table, or why it's empty, with links to other pages. */
export const PagedTable = <Item,>({
  of,
  period,
  empty,
  more,
  ...table
}: Omit<TableProps<Item>, 'rows'> & {
  of: Called<PageOf<Item>>;
  period?: Period | undefined;
  /** Shown if there's nothing on the last page. */
  empty: ComponentChildren;
  more?: string | undefined;
}) => (
  <ShownPage of={of}>
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
          <Pager nextCursor={nextCursor} period={period} more={more} />
        </div>
      </>
    )}
  </ShownPage>
);

/** A page of a list, or why it's empty, with links to other pages. */
export const List = <Item,>({
  of,
  period,
  empty,
  note,
  more,
  children,
}: {
  of: Called<PageOf<Item>>;
  period?: Period | undefined;
  /** Shown if there's nothing on the last page. */
  empty: ComponentChildren;
  note?: string;
  more?: string | undefined;
  children: (item: Item) => ComponentChildren;
}) => (
  <ShownPage of={of}>
    {({ data, nextCursor }) => (
      <>
        {data.length === 0 && (
          <Empty>
            {nextCursor ? 'None here. Older entries haven’t been searched yet.' : empty}
          </Empty>
        )}
        <ul class="rows">{data.map(children)}</ul>
        {note && <p class="quiet">{note}</p>}
        <Pager nextCursor={nextCursor} period={period} more={more} />
      </>
    )}
  </ShownPage>
);
