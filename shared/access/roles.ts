import { type Scope, scopes } from './scopes.ts';

export const roles = ['viewer', 'support', 'developer', 'admin'] as const;
export type Role = (typeof roles)[number];

const viewer = [
  'emails_read',
  'recipients_read',
  'usage_read',
  'settings_read',
] as const satisfies readonly Scope[];

/** A role is a set of scopes and nothing else, so an endpoint's `access` says who may use it. */
const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  viewer,
  support: [
    ...viewer,
    'refusals_read',
    'read_content',
    'emails_resend',
    'suppressions_manage',
    'contacts_erase',
    'contacts_export',
    'webhooks_read',
    'webhooks_redeliver',
  ],
  developer: [
    ...viewer,
    'refusals_read',
    'templates_manage',
    'webhooks_read',
    'webhooks_redeliver',
    'webhooks_manage',
    'domains_read',
    'sending_keys_manage',
  ],
  admin: scopes,
};

/** After a rollback, a role may be of a newer version. It may do nothing, not even what a key without scopes may. */
export const scopesOfRole = (role: string): readonly string[] =>
  Object.entries(scopesByRole).find(([name]) => name === role)?.[1] ?? [`role_${role}`];
