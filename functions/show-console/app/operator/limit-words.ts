import type { Answer } from '../../../api.ts';

type LimitName = keyof Answer<'GET /api/v1/organizations/{id}'>['limits'];

export const limitWords: Readonly<Record<LimitName, string>> = {
  sendsPerSecond: 'Recipients a second',
  recipientsPerDay: 'Recipients a day',
  apiKeys: 'API keys',
  templates: 'Templates',
  webhooks: 'Webhooks',
  policies: 'Policies',
  categories: 'Categories',
  domains: 'Domains',
  uploadBytesPerDay: 'Uploaded bytes a day',
  changesPerDay: 'Changes a day',
  contactsPerDay: 'Contacts changed a day',
  waitingBytesPerDay: 'Bytes of waiting emails a day',
  requestedDeliveriesPerDay: 'Requested deliveries a day',
  signInLinksPerDay: 'Sign-in links a day',
};

export const limitNames = Object.keys(limitWords).filter(
  (name): name is LimitName => name in limitWords,
);
