import { csvRecord } from '#shared/csv/write-csv';
import type { Send } from '../shared/words.ts';

const columns = {
  id: ({ _id }) => _id,
  status: ({ status }) => status,
  failure: ({ failureReason = '' }) => failureReason,
  made: ({ createdAt }) => new Date(createdAt).toISOString(),
  from: ({ fromEmail }) => fromEmail,
  to: ({ toEmail }) => toEmail,
  cc: ({ cc }) => cc.join(' '),
  bcc: ({ bcc }) => bcc.join(' '),
  left_out: ({ suppressedRecipients }) =>
    suppressedRecipients.map(({ email, reason }) => `${email} (${reason})`).join(' '),
  subject: ({ subject }) => subject,
  policy: ({ policyKey }) => policyKey,
  template: ({ templateId = '' }) => templateId,
  key: ({ apiKeyId = '' }) => apiKeyId,
  idempotency_key: ({ idempotencyKey = '' }) => idempotencyKey,
} as const satisfies Record<string, (send: Send) => string>;

/** The first line of a file of emails. By the mark before it, spreadsheets know that the file is UTF-8. */
export const sendsHeader = `\ufeff${csvRecord(Object.keys(columns))}`;

/** Emails as lines of that file. No cell of it is run as a formula. */
export const sendsRecords = (sends: readonly Send[]): string =>
  sends.map((send) => csvRecord(Object.values(columns).map((cell) => cell(send)))).join('');
