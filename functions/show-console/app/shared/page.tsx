import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

// The first page keeps the focus where the browser has it; each later one takes it to its heading.
let isFirst = true;

/** One page: its heading is its title, and gets the focus after navigation. */
export function Page({
  title,
  heading = title,
  lead,
  children,
}: {
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}) {
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) top.current?.focus();
    isFirst = false;
  }, []);
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <>
      <h1 tabIndex={-1} ref={top}>
        {heading}
      </h1>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}
