import { type ComponentChildren, Fragment } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { loadPages } from './load-pages.ts';
import { OrganizationMenu } from './organization-menu.tsx';
import type { Overlay, OverlayName } from './palette/overlay.tsx';
import { toast } from './parts/announce.tsx';
import { ActionButton } from './parts/buttons.tsx';
import { Glyph } from './parts/glyph.tsx';
import { useKeptFocus } from './parts/kept-focus.ts';
import { LeaveQuestion } from './parts/leave-question.tsx';
import { useMenu } from './parts/menu.ts';
import { ProofQuestion } from './parts/proof-question.tsx';
import { Foreign } from './parts/text.tsx';
import { Tip } from './parts/tip.tsx';
import { capitalized } from './shared/format.ts';
import { mayLeave } from './shared/leaving.ts';
import { footPlaces, openGroups, operatorGroups, type Place } from './shared/places.ts';
import { isOperator, leave, type Session, SessionContext, signOut } from './shared/session.ts';
import { commandKey, useCommandK, useSingleKey } from './shared/shortcuts.ts';
import { toFailure } from './shared/use-call.ts';

type ShellProps = {
  session: Session;
  reload: () => Promise<void>;
  onSignedOut: () => void;
  children: ComponentChildren;
};

export function Shell({ session, reload, onSignedOut, children }: ShellProps) {
  useKeptFocus();
  const { overlay, openPalette, openCalls } = useOverlay();
  return (
    <SessionContext.Provider value={{ session, reload }}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="shell">
        <Side session={session} onSearch={openPalette} onSignedOut={onSignedOut} />
        <main id="content" tabIndex={-1}>
          <Visit session={session} />
          {children}
          {!isOperator(session) && (
            <p class="ascall">
              <button type="button" class="link" onClick={openCalls}>
                This page from the API
              </button>
            </p>
          )}
          <Tip />
          <LeaveQuestion />
        </main>
      </div>
      <ProofQuestion />
      {overlay}
    </SessionContext.Provider>
  );
}

/** What keys and buttons of every page open above it. Most visits need none, so it comes late. */
function useOverlay() {
  const [name, setName] = useState<OverlayName>();
  // A component, so a function gives it.
  const [Shown, setShown] = useState<typeof Overlay>();
  const open = (next: OverlayName) => {
    if (document.querySelector('dialog[open]')) return;
    setName(next);
    loadPages().then(
      (pages) => setShown(() => pages.Overlay),
      (error: unknown) => toast(toFailure(error).message),
    );
  };
  const openPalette = useCallback(() => open('palette'), []);
  useCommandK(openPalette);
  useSingleKey(
    '?',
    useCallback(() => open('keys'), []),
  );
  const overlay = name && Shown && <Shown name={name} onClosed={() => setName(undefined)} />;
  return { overlay, openPalette, openCalls: () => open('calls') };
}

/** On every page of an organization that an operator has entered. */
function Visit({ session: { organization, person } }: Pick<ShellProps, 'session'>) {
  if (person?.entered === undefined) return null;
  return (
    <div class="notice warn visit" role="status">
      <p>
        You’re in{' '}
        <b>
          <Foreign text={organization.name} most={60} />
        </b>{' '}
        as operator: <Foreign text={person.entered.reason} />
      </p>
      <ActionButton
        label="Leave"
        act={async () => {
          if (!(await mayLeave())) return;
          await leave();
          // Nothing of the organization stays.
          location.assign(`/console/organizations/${organization.id}`);
        }}
      />
    </div>
  );
}

/** The navigation: beside the page, or behind a button on phones. */
function Side({
  session,
  onSearch,
  onSignedOut,
}: Pick<ShellProps, 'session' | 'onSignedOut'> & { onSearch: () => void }) {
  const { path, url } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const shownAt = useRef(url);
  if (shownAt.current !== url) {
    shownAt.current = url;
    if (isOpen) setOpen(false);
  }
  useLayoutEffect(() => {
    if (!isOpen) return;
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isOpen]);
  const folded = isOpen ? '' : 'folded';
  return (
    <header class="side">
      <div class="bar">
        <div class="brand">
          <Mark />
          <OrganizationMenu session={session} />
        </div>
        <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
          <Glyph of="find" />
          <span>Search</span> <kbd>{commandKey} K</kbd>
        </button>
        <button
          type="button"
          class="menu"
          aria-label="Menu"
          aria-expanded={isOpen}
          aria-controls="console-navigation console-foot"
          onClick={() => setOpen(!isOpen)}
        >
          <Glyph of="menu" />
        </button>
      </div>
      <nav id="console-navigation" class={folded} aria-label="Console">
        {(isOperator(session) ? operatorGroups : openGroups()).map(({ name, places }) => (
          <Fragment key={name}>
            {name && <h2>{name}</h2>}
            <Places places={places} path={path} />
          </Fragment>
        ))}
        {!isOperator(session) && <Places places={footPlaces()} path={path} />}
      </nav>
      <Foot
        id="console-foot"
        class={folded}
        session={session}
        path={path}
        onSignedOut={onSignedOut}
      />
    </header>
  );
}

const Places = ({ places, path }: { places: readonly Place[]; path: string }) => (
  <ul>
    {places.map(([address, text, glyph]) => (
      <li key={address}>
        <a href={address} aria-current={currentAt(address, path)}>
          <Glyph of={glyph} />
          {text}
        </a>
      </li>
    ))}
  </ul>
);

const currentAt = (address: string, path: string) => {
  if (path === address || path === `${address}/`) return 'page';
  const isBelow = address !== '/console' && path.startsWith(`${address}/`);
  return isBelow || belongsTo(address, path) ? true : undefined;
};

/** An address belongs to the contacts, wherever it was opened from. */
const belongsTo = (address: string, path: string): boolean =>
  address === '/console/contacts' && path.startsWith('/console/addresses/');

const youPage = '/console/you';

type FootProps = Pick<ShellProps, 'session' | 'onSignedOut'> & {
  id: string;
  class: string;
  path: string;
};

const Foot = ({ id, class: look, session, path, onSignedOut }: FootProps) => (
  <div id={id} class={`foot ${look}`}>
    <Own session={session} isOfYou={path === youPage} onSignedOut={onSignedOut} />
    <p>
      {session.region} · v{VERSION} ·{' '}
      <a href="/docs" target="_blank" rel="noreferrer">
        Docs
      </a>
    </p>
  </div>
);

/** Who is signed in, and what is theirs. */
function Own({
  session: { person, isFromIssuer },
  isOfYou,
  onSignedOut,
}: Pick<FootProps, 'session' | 'onSignedOut'> & { isOfYou: boolean }) {
  const { isOpen, setOpen, element, id } = useMenu<HTMLDivElement>();
  return (
    <div class="me" ref={element}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Glyph of="person" />
        <span class="who">
          {person ? (
            <>
              <b>
                <Foreign text={person.email} />
              </b>
              <small>{person.entered ? 'Operator, as support' : capitalized(person.role)}</small>
            </>
          ) : (
            'Signed in with a key'
          )}
        </span>
      </button>
      <div id={id} class="items" hidden={!isOpen}>
        <a
          href={youPage}
          aria-current={isOfYou ? 'page' : undefined}
          onClick={() => setOpen(false)}
        >
          {person ? 'Your account' : 'Your sessions'}
        </a>
        <a href="/console/changelog" onClick={() => setOpen(false)}>
          Changelog
        </a>
        {person?.entered === undefined && (
          <ActionButton
            label="Sign out"
            act={async () => {
              if (!(await mayLeave())) return;
              await signOut();
              // It has a session of its own, which would sign in the next person at this browser.
              if (isFromIssuer) location.assign('/console/oidc/sign-out');
              else onSignedOut();
            }}
          />
        )}
      </div>
    </div>
  );
}

/** The product's mark: an envelope. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
    <rect width="20" height="20" rx="5.5" fill="currentColor" />
    <path d="M4.5 6.5h11v7.5h-11zl5.5 4.5 5.5-4.5" fill="none" stroke-width="1.4" />
  </svg>
);
