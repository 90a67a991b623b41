import { useRoute } from 'preact-iso/router';
import { IdentityPage } from '../identity/identity.tsx';
import { NotFound } from '../shared/page.tsx';
import { UsageFigures } from '../usage/usage.tsx';
import { Audit } from './audit.tsx';
import { FooterSettings } from './footer.tsx';
import { GeneralSettings } from './general.tsx';
import { Keys } from './keys.tsx';
import { Notices } from './notices.tsx';
import { Policies } from './policies.tsx';
import { RefusedRequests } from './refused-requests.tsx';

const parts = [
  { path: undefined, name: 'General', Part: GeneralSettings },
  { path: 'identity', name: 'Domains', Part: IdentityPage },
  { path: 'keys', name: 'API keys', Part: Keys },
  { path: 'requests', name: 'Refused requests', Part: RefusedRequests },
  { path: 'policies', name: 'Policies', Part: Policies },
  { path: 'notices', name: 'Notices', Part: Notices },
  { path: 'footer', name: 'Footer and unsubscribe page', Part: FooterSettings },
  { path: 'usage', name: 'Usage', Part: UsageFigures },
  { path: 'audit', name: 'Audit', Part: Audit },
] as const;

/** The part of the settings in the address, beside links to the others. */
export function Settings() {
  const { params } = useRoute();
  const shown = parts.find(({ path }) => path === params['part']);
  if (shown === undefined) return <NotFound />;
  return (
    <div class="settings">
      <nav class="subnav" aria-label="Settings">
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
      <div>
        <shown.Part />
      </div>
    </div>
  );
}
