import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** What the fields of an API key mean. */
export const apiKeyFieldWords = {
  id: 'The id of the API key.',
  scopes: 'What the key may do. Empty means the default: sending and managing templates.',
  status: '`active`, `revoked` or `expired`.',
  validUntil:
    'When it expires, in epoch milliseconds. A request may also give ISO 8601 with a time zone.',
  key: 'The text of the key, shown only in this answer.',
} as const;

/** An API key in the examples of the reference, without its text. */
export const exampleApiKey = {
  id: exampleIds.apiKey,
  name: 'billing',
  scopes: ['send_email'],
  perMinuteCap: 60,
  dailyCap: 5_000,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  status: 'active',
} as const;
