import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { ActionButton } from './shared/buttons.tsx';
import { mayLeave } from './shared/leaving.ts';
import { type Session, SessionContext, signOut } from './shared/session.ts';
import { Foreign } from './shared/text.tsx';

const places = [
  ['/console', 'Overview'],
  ['/console/emails', 'Emails'],
  ['/console/contacts', 'Contacts'],
  ['/console/suppressions', 'Suppressions'],
  ['/console/templates', 'Templates'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/settings', 'Settings'],
] as const;

/** The frame around every page. */
export function Shell({
  session,
  reload,
  onSignedOut,
  children,
}: {
  session: Session;
  reload: () => Promise<void>;
  onSignedOut: () => void;
  children: ComponentChildren;
}) {
  const { path } = useLocation();
  const leave = async () => {
    if (!mayLeave()) return;
    await signOut();
    onSignedOut();
  };
  return (
    <SessionContext.Provider value={{ session, reload }}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <span class="organization">
          <Foreign text={session.organization.name} most={60} />
        </span>
        <nav aria-label="Console">
          {places.map(([address, text]) => (
            <a
              key={address}
              href={address}
              aria-current={
                path === address
                  ? 'page'
                  : (path.startsWith(`${address}/`) && address !== '/console') || undefined
              }
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="leave">
          <ActionButton label="Sign out" act={leave} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </SessionContext.Provider>
  );
}
