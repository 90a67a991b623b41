import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../api-client.ts';

// The first page leaves the focus where the browser put it; each later one moves it to its heading.
let isFirst = true;

export function Page({
  title,
  heading = title,
  crumb,
  beside,
  actions,
  tabs,
  lead,
  answer,
  children,
}: {
  title: string;
  heading?: ComponentChildren;
  /** A link to the list that the page is of. */
  crumb?: ComponentChildren;
  /** Dim text or badges, such as a count or state. */
  beside?: ComponentChildren;
  /** Buttons at the top right, the main one last. */
  actions?: ComponentChildren;
  tabs?: ComponentChildren;
  lead?: ComponentChildren;
  /** What its reader came for, in one sentence: a `Say`. */
  answer?: ComponentChildren;
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
      <div class="head">
        {crumb && <span class="crumb">{crumb}</span>}
        <h1 tabIndex={-1} ref={top}>
          {heading}
        </h1>
        {beside && <span class="beside">{beside}</span>}
        {actions && <div class="actions">{actions}</div>}
      </div>
      {tabs}
      {lead && <p class="lead">{lead}</p>}
      {answer}
      {children}
    </>
  );
}

export const Card = ({
  title,
  children,
}: {
  title?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="card">
    {title && <h2>{title}</h2>}
    {children}
  </section>
);

/** @param scope what the session lacks. */
export const NotYours = ({ scope }: { scope: string }) => (
  <Page
    title="You can’t open this page"
    lead={
      session.isOfPerson ? (
        'Your role doesn’t include this page. Ask an admin of your organization.'
      ) : (
        <>
          The API key you signed in with lacks the scope <code>{scope}</code>. Add it under{' '}
          <a href="/console/keys">API keys</a>, or sign in with another key.
        </>
      )
    }
  >
    <WayHome />
  </Page>
);

export const NotFound = () => (
  <Page title="Page not found" lead="There’s nothing at this address. The page may have moved.">
    <WayHome />
  </Page>
);

const WayHome = () => (
  <p>
    <a href="/console">Go to the overview</a>
  </p>
);
