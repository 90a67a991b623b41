import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { mayLeave } from '../leaving.ts';
import { type Session, signOut } from '../session-client.ts';
import { SessionContext } from '../session-context.ts';
import { ActionButton } from './confirm.tsx';
import { Foreign } from './text.tsx';

const places = [
  ['/console', 'Overview'],
  ['/console/emails', 'Emails'],
  ['/console/contacts', 'Contacts'],
  ['/console/suppressions', 'Suppressions'],
  ['/console/templates', 'Templates'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/settings', 'Settings'],
] as const;

/** What stands around every page. */
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
        Skip to the content
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
