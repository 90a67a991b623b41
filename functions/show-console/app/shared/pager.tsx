import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { announce } from './announce.tsx';
import { openTrail } from './paging.ts';

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
