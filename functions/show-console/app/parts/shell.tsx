import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { mayLeave } from '../leaving.ts';
import { type Session, signOut } from '../session-client.ts';
import { ActionButton } from './confirm.tsx';
import { Foreign } from './text.tsx';

const places = [
  ['/console', 'Overview'],
  ['/console/emails', 'Emails'],
  ['/console/contacts', 'Contacts'],
  ['/console/suppressions', 'Suppressions'],
  ['/console/templates', 'Templates'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/settings/identity', 'From identity'],
  ['/console/settings/keys', 'API keys'],
] as const;

/** What stands around every page. */
export function Shell({
  session,
  onSignedOut,
  children,
}: {
  session: Session;
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
    <>
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
    </>
  );
}
