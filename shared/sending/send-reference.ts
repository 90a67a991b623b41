import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

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

/** What the reference says about a send's fields at this path, such as `data`. */
export const sendFields = (path: string): Readonly<Record<string, string>> => ({
  [`${path}.status`]:
    '`sending`: an attempt is under way, or its outcome is not known yet. `sent`: SES accepted the email. `suppressed`: no email went out. `failed`: see `failureReason`.',
  [`${path}.createdAt`]: 'When the send was created, in epoch milliseconds.',
  [`${path}.attempts`]: 'The attempts that failed before the current one, oldest first.',
  [`${path}.attempts.at`]: 'When the failure was recorded, in epoch milliseconds.',
  [`${path}.attempts.reason`]:
    'SES’s name for the failure, for example `MessageRejected`, or ours.',
});
