import type { Route } from '../../../api.ts';
import { session } from '../api-client.ts';
import type { GlyphName } from './glyphs.ts';
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
  '/console': ['GET /api/v1/overview', 'GET /api/v1/metrics'],
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
  '/console/domains': ['GET /api/v1/domains'],
  '/console/domains/': ['GET /api/v1/domains/{domain}'],
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

export type Place = readonly [address: string, text: string, glyph: GlyphName];

/** Places that belong together. The first ones have no name, and the last ones are at the foot. */
export type PlaceGroup = { readonly name?: string; readonly places: readonly Place[] };

const groups: readonly PlaceGroup[] = [
  { places: [['/console', 'Overview', 'home']] },
  {
    name: 'Email',
    places: [
      ['/console/emails', 'Emails', 'mail'],
      ['/console/templates', 'Templates', 'doc'],
    ],
  },
  {
    name: 'Recipients',
    places: [
      ['/console/contacts', 'Contacts', 'people'],
      ['/console/suppressions', 'Suppressions', 'stop'],
    ],
  },
  {
    name: 'Connect',
    places: [
      ['/console/webhooks', 'Webhooks', 'hook'],
      ['/console/domains', 'Domains', 'globe'],
      ['/console/keys', 'API keys', 'key'],
      ['/console/refused', 'Refused requests', 'back'],
    ],
  },
];

/** Of those who operate the deployment. */
export const operatorGroups: readonly PlaceGroup[] = [
  {
    places: [
      ['/console', 'Organizations', 'home'],
      ['/console/claims', 'Domain claims', 'globe'],
      ['/console/costs', 'Costs', 'meter'],
    ],
  },
];

/** The navigation, of what there is for this session. */
export const openGroups = (): readonly PlaceGroup[] =>
  groups
    .map(({ places, ...group }) => ({
      ...group,
      places: places.filter(([address]) => mayOpen(address)),
    }))
    .filter(({ places }) => places.length > 0);

/** At the navigation's foot. Settings begin with the first part that there is. */
export function footPlaces(): readonly Place[] {
  const settings = settingsParts.find(({ address }) => mayOpen(address));
  return [
    ...(mayOpen('/console/usage') ? [['/console/usage', 'Usage', 'meter'] as const] : []),
    ...(settings ? [[settings.address, 'Settings', 'gear'] as const] : []),
  ];
}
