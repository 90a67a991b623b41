import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

/** A send in the examples of the reference. */
export const exampleSend = {
  _id: exampleIds.send,
  status: 'sent',
  fromEmail: 'hello@northwind.example',
  toEmail: 'ann@example.com',
  cc: [],
  bcc: [],
  subject: 'Welcome',
  policyKey: 'transactional',
  idempotencyKey: 'welcome-ann',
  suppressedRecipients: [],
  endpoint: 'send',
  createdAt: exampleTime,
  updatedAt: exampleTime + 240,
} as const;
