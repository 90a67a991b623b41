import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { NotFound } from '../parts/page.tsx';
import { addressWith } from '../shared/paging.ts';
import { settingsParts } from '../shared/places.ts';
import { Audit } from './audit.tsx';
import { FooterSettings } from './footer.tsx';
import { GeneralSettings } from './general.tsx';
import { Notices } from './notices.tsx';
import { People } from './people.tsx';
import { Policies } from './policies.tsx';
import type { PartName } from './settings-page.tsx';

const pages: Readonly<Record<PartName, FunctionComponent>> = {
  General: GeneralSettings,
  People,
  Policies,
  Notices,
  'Footer and unsubscribe page': FooterSettings,
  'Audit log': Audit,
};

/** Parts that have become pages. Notices already sent link to them. */
const moved: Readonly<Record<string, string>> = {
  identity: '/console/domains',
  keys: '/console/keys',
  usage: '/console/usage',
  requests: '/console/refused',
};

export function Settings() {
  const { params } = useRoute();
  const part = params['part'];
  const here = part ? `/console/settings/${part}` : '/console/settings';
  const shown = settingsParts.find(({ address }) => address === here);
  const elsewhere = moved[part ?? ''];
  if (elsewhere) return <Moved to={elsewhere} />;
  if (shown === undefined) return <NotFound />;
  const Part = pages[shown.name];
  return <Part />;
}

function Moved({ to }: { to: string }) {
  const { query, route } = useLocation();
  const address = addressWith(to, query);
  useEffect(() => route(address, true), [route, address]);
  return null;
}
