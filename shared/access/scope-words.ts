import type { Scope } from './scopes.ts';

/** What each scope lets a key or a role do: for the reference, the table of roles, and the console's choices. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  send_email: 'Send emails, reschedule and cancel them, and send them again',
  read_sends: 'Read emails and their timelines, export them, and read refused requests',
  read_content: 'Read the kept content of emails',
  preferences_read: 'Read recipients’ preferences',
  preferences_manage: 'Change recipients’ preferences',
  templates_manage: 'Create, change and delete templates',
  manage_organization:
    'Do everything that no other scope is for, and sign in to the console with an API key',
  emails_read: 'List emails and read their timelines, without exports',
  emails_resend: 'Cancel emails and send them again',
  refusals_read: 'Read refused requests',
  recipients_read: 'Read contacts, suppressions and what became of someone’s emails',
  suppressions_manage: 'Add and lift suppressions, without imports and exports',
  contacts_erase: 'Erase what is stored about someone',
  contacts_export: 'Export what is known of someone, with their emails',
  usage_read: 'Read the overview, metrics and usage',
  settings_read: 'Read settings, policies and categories',
  webhooks_read: 'Read webhook endpoints and their deliveries',
  webhooks_redeliver: 'Retry waiting deliveries and repeat ended ones',
  webhooks_manage: 'Create, change, test and delete webhook endpoints',
  domains_read: 'Read domains and their DNS records',
  sending_keys_manage:
    'List all keys, and manage test keys and those that only send and manage templates',
};

/** The same for a row of a list. */
export const shortScopeWords: Readonly<Record<Scope, string>> = {
  send_email: 'send',
  read_sends: 'read emails',
  read_content: 'read contents',
  preferences_read: 'read preferences',
  preferences_manage: 'preferences',
  templates_manage: 'templates',
  manage_organization: 'manage',
  emails_read: 'list emails',
  emails_resend: 'send again',
  refusals_read: 'read refusals',
  recipients_read: 'read recipients',
  suppressions_manage: 'suppressions',
  contacts_erase: 'erase people',
  contacts_export: 'export people',
  usage_read: 'read usage',
  settings_read: 'read settings',
  webhooks_read: 'read webhooks',
  webhooks_redeliver: 'redeliver',
  webhooks_manage: 'webhooks',
  domains_read: 'read domains',
  sending_keys_manage: 'keys that send',
};
