import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { toLimitsView } from './limits-view.ts';

const example = {
  id: exampleIds.organization,
  name: 'Example Ltd',
  paused: false,
  attachmentsEnabled: true,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

export const exampleOrganization = { ...example, linksDisabled: false } as const;

export const exampleSettings = {
  ...example,
  senderName: 'Example Ltd',
  replyTo: 'help@example.com',
  keylessReading: false,
  transactionalUnsubscribe: true,
} as const;

/** Lower than the deployment's limits for the others. */
export const exampleLimits = toLimitsView({ recipientsPerDay: 50_000 }, {});

export const exampleUse = {
  recipientsPerDay: 12_480,
  apiKeys: 4,
  templates: 12,
  webhooks: 1,
  policies: 2,
  categories: 3,
  domains: 2,
  uploadBytesPerDay: 18_000_000,
  changesPerDay: 7,
  contactsPerDay: 1_200,
  waitingBytesPerDay: 2_400_000,
  requestedDeliveriesPerDay: 3,
  signInLinksPerDay: 1,
} as const;

export const limitFields = {
  limits:
    'What the organization may use. Beyond a rate or daily limit the answer is 429, beyond a count 409.',
  limit: 'The limit; `null` if there is none.',
  isDefault: 'Whether the limit is the deployment’s rather than the organization’s own.',
  use: 'How much of its limits it uses.',
  sendsPerSecond:
    'Recipients per second, over ten seconds. Without a limit, only SES’s rate for the account applies.',
  recipientsPerDay: 'Recipients per day (UTC). The limit applies about half a minute late.',
  apiKeys: 'Valid API keys.',
  templates: 'Templates.',
  webhooks: 'Webhook endpoints.',
  policies: 'Policies of its own.',
  categories: 'Categories.',
  'limits.domains': 'Domains.',
  'use.domains': 'Domains.',
  uploadBytesPerDay: 'Bytes of the uploads requested per day (UTC).',
  changesPerDay:
    'Changes through the API that the audit keeps, per day (UTC). Revoking a key, signing in and out, and canceling a send don’t count.',
  contactsPerDay:
    'Addresses imported from files, unsubscribed with a key, or erased while unknown, per day (UTC).',
  waitingBytesPerDay: 'Bytes of scheduled and queued emails stored per day (UTC).',
  requestedDeliveriesPerDay:
    'Webhook tests and repeated deliveries per day (UTC). Deliveries of events don’t count.',
  signInLinksPerDay:
    'Sign-in links made with a key, per day (UTC). Those mailed to people, and signing in with the key itself, don’t count.',
} as const;
