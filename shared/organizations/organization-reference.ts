import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { toLimitsView } from './limits-view.ts';

const example = {
  id: exampleIds.organization,
  name: 'Example Ltd',
  paused: false,
  attachmentsEnabled: false,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

export const exampleOrganization = { ...example, linksDisabled: false } as const;

export const exampleSettings = {
  ...example,
  senderName: 'Example Ltd',
  replyTo: 'help@example.com',
  keylessReading: true,
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
} as const;

export const limitFields = {
  limits: 'What the organization may use. Rates and days answer 429, numbers of things 409.',
  limit: 'So much of it, `null`: without a limit.',
  isDefault: 'Whether the limit is the deployment’s, and not the organization’s own.',
  use: 'What it uses of its limits.',
  sendsPerSecond:
    'Recipients a second, over ten seconds. Without it SES’s rate for the account is the only one.',
  recipientsPerDay: 'Recipients of a day, in UTC. The limit takes hold about half a minute late.',
  apiKeys: 'API keys that are valid.',
  templates: 'Templates.',
  webhooks: 'Webhook endpoints.',
  policies: 'Policies of its own.',
  categories: 'Categories.',
  'limits.domains': 'Domains.',
  'use.domains': 'Domains.',
  uploadBytesPerDay: 'Bytes of the uploads that are asked for in a day, in UTC.',
  changesPerDay:
    'Changes by the API that the audit keeps, in a day (UTC). Revoking a key, signing out and canceling a send don’t count.',
  contactsPerDay:
    'Addresses in files that are imported, and those that keys unsubscribe, in a day (UTC).',
  waitingBytesPerDay:
    'Bytes of the emails that are stored in a day (UTC) to go out later: scheduled and queued ones.',
} as const;
