import type { Route } from '../../../api.ts';
import { session } from '../api-client.ts';
import { lacking } from './may.ts';

/** Parts of the settings, in the order of their tabs. */
export const settingsParts = [
  { address: '/console/settings', name: 'General' },
  { address: '/console/settings/people', name: 'People' },
  { address: '/console/settings/policies', name: 'Policies' },
  { address: '/console/settings/notices', name: 'Notices' },
  { address: '/console/settings/footer', name: 'Footer and unsubscribe page' },
  { address: '/console/settings/audit', name: 'Audit log' },
] as const;

/**
 * What a page is for, by its path: those who may not do that don't get the page. A path that ends with `/` is of all
 * pages below it that have none of their own.
 */
const needs: Readonly<Record<string, readonly Route[]>> = {
  '/console': ['GET /api/v1/overview', 'GET /api/v1/usage'],
  '/console/emails': ['GET /api/v1/sends'],
  '/console/emails/': ['GET /api/v1/sends/{id}'],
  '/console/addresses/': ['GET /api/v1/recipients/{email}'],
  '/console/contacts': ['GET /api/v1/contacts'],
  '/console/suppressions': ['GET /api/v1/suppressions'],
  '/console/suppressions/lift': ['POST /api/v1/suppressions/lift'],
  '/console/suppressions/move': [
    'POST /api/v1/suppressions/import',
    'GET /api/v1/suppressions/export',
  ],
  '/console/templates/new': ['POST /api/v1/templates'],
  '/console/webhooks': ['GET /api/v1/webhooks'],
  '/console/webhooks/': ['GET /api/v1/webhooks/{id}', 'GET /api/v1/webhooks/{id}/deliveries'],
  '/console/domains': ['GET /api/v1/domains', 'GET /api/v1/domains/{domain}'],
  '/console/keys': ['GET /api/v1/api-keys'],
  '/console/refused': ['GET /api/v1/requests'],
  '/console/usage': ['GET /api/v1/usage'],
  '/console/settings': ['PATCH /api/v1/organization'],
  '/console/settings/people': ['GET /api/v1/people'],
  '/console/settings/policies': ['PUT /api/v1/policies/{key}', 'POST /api/v1/categories'],
  '/console/settings/notices': ['PATCH /api/v1/organization'],
  '/console/settings/footer': ['PATCH /api/v1/organization'],
  '/console/settings/audit': ['GET /api/v1/audit'],
};

/** The scope that a page needs, and that the session lacks. */
export function lackingAt(address: string): string | undefined {
  const [path = ''] = address.split('?');
  return lacking(session.scopes, needs[path] ?? needs[path.replace(/[^/]*$/, '')] ?? []);
}

/** Whether there is a page for this session. */
export const mayOpen = (address: string): boolean => lackingAt(address) === undefined;

const places = [
  ['/console', 'Overview'],
  ['/console/emails', 'Emails'],
  ['/console/templates', 'Templates'],
  ['/console/contacts', 'Contacts'],
  ['/console/suppressions', 'Suppressions'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/domains', 'Domains'],
  ['/console/keys', 'API keys'],
  ['/console/refused', 'Refused requests'],
  ['/console/usage', 'Usage'],
] as const;

/** Of those who operate the deployment. */
export const operatorPlaces = [
  ['/console', 'Organizations'],
  ['/console/claims', 'Domain claims'],
  ['/console/costs', 'Costs'],
] as const;

/** The navigation. Settings begin with the first part that there is. */
export function openPlaces(): readonly (readonly [address: string, text: string])[] {
  const settings = settingsParts.find(({ address }) => mayOpen(address));
  return [
    ...places.filter(([address]) => mayOpen(address)),
    ...(settings ? [[settings.address, 'Settings'] as const] : []),
  ];
}
