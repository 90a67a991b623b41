import type { ComponentProps } from 'preact';
import { useLocation } from 'preact-iso/router';
import { Page } from '../shared/page.tsx';

const parts = [
  ['/console/settings', 'General'],
  ['/console/settings/identity', 'From identity'],
  ['/console/settings/keys', 'API keys'],
  ['/console/settings/policies', 'Policies'],
  ['/console/settings/notices', 'Notices'],
  ['/console/settings/footer', 'Footer and unsubscribe page'],
  ['/console/settings/usage', 'Usage'],
  ['/console/settings/audit', 'Audit'],
] as const;

/** A part of the settings, with the way to the others. */
export function SettingsPage(page: ComponentProps<typeof Page>) {
  const { path } = useLocation();
  return (
    <div class="settings">
      <nav class="subnav" aria-label="Settings">
        {parts.map(([address, text]) => (
          <a key={address} href={address} aria-current={path === address ? 'page' : undefined}>
            {text}
          </a>
        ))}
      </nav>
      <div>
        <Page {...page} />
      </div>
    </div>
  );
}
