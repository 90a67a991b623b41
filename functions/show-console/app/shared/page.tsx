import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

// The first page leaves the focus where the browser put it; each later one moves it to its heading.
let isFirst = true;

/** A page, its title and its heading, which gets the focus after navigation. */
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

export const NotFound = () => (
  <Page title="Page not found" lead="There’s nothing at this address. The page may have moved.">
    <p>
      <a href="/console">Go to the overview</a>
    </p>
  </Page>
);
