import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { NotFound } from '../shared/page.tsx';
import { addressWith } from '../shared/paging.ts';
import { Audit } from './audit.tsx';
import { FooterSettings } from './footer.tsx';
import { GeneralSettings } from './general.tsx';
import { Notices } from './notices.tsx';
import { Policies } from './policies.tsx';
import { RefusedRequests } from './refused-requests.tsx';

const parts = [
  { path: undefined, name: 'General', Part: GeneralSettings },
  { path: 'policies', name: 'Policies', Part: Policies },
  { path: 'notices', name: 'Notices', Part: Notices },
  { path: 'footer', name: 'Footer and unsubscribe page', Part: FooterSettings },
  { path: 'requests', name: 'Refused requests', Part: RefusedRequests },
  { path: 'audit', name: 'Audit log', Part: Audit },
] as const;

/** Parts that have become pages. Links to them are in notices that went out. */
const moved: Readonly<Record<string, string>> = {
  identity: '/console/domains',
  keys: '/console/keys',
  usage: '/console/usage',
};

/** The part of the settings in the address, below links to the others. */
export function Settings() {
  const { params } = useRoute();
  const part = params['part'];
  const shown = parts.find(({ path }) => path === part);
  const elsewhere = moved[part ?? ''];
  const nav = useRef<HTMLElement>(null);
  // On a phone the line scrolls.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [part]);
  if (elsewhere) return <Moved to={elsewhere} />;
  if (shown === undefined) return <NotFound />;
  return (
    <>
      <nav class="subnav" aria-label="Settings" ref={nav}>
        {parts.map(({ path, name }) => (
          <a
            key={name}
            href={path === undefined ? '/console/settings' : `/console/settings/${path}`}
            aria-current={path === shown.path ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <shown.Part />
    </>
  );
}

function Moved({ to }: { to: string }) {
  const { query, route } = useLocation();
  const address = addressWith(to, query);
  useEffect(() => route(address, true), [route, address]);
  return null;
}
