import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** What the fields of an API key mean. */
export const apiKeyFieldWords = {
  id: 'The id of the API key.',
  scopes: 'What the key may do. Empty: the default, to send and to manage templates.',
  status: '`active`, `revoked` or `expired`.',
  validUntil:
    'When it ends by itself, in epoch milliseconds. A request may give ISO 8601 with a time zone instead.',
  key: 'The text of the key. Shown once.',
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
