import { csvRecord } from '#shared/csv/csv';
import type { ListedSend } from '#shared/send-history/list-sends';

const columns = {
  id: ({ _id }) => _id,
  status: ({ status }) => status,
  failure: ({ failureReason = '' }) => failureReason,
  outcome: ({ outcome }) => outcome,
  outcome_at: ({ outcomeAt }) => new Date(outcomeAt).toISOString(),
  reason: ({ cause }) => cause?.reason ?? '',
  diagnostic: ({ cause }) => cause?.diagnostic ?? '',
  created: ({ createdAt }) => new Date(createdAt).toISOString(),
  from: ({ fromEmail }) => fromEmail,
  to: ({ to, toEmail }) => to?.join(' ') ?? toEmail,
  cc: ({ cc }) => cc.join(' '),
  bcc: ({ bcc }) => bcc.join(' '),
  suppressed: ({ suppressedRecipients }) =>
    suppressedRecipients.map(({ email, reason }) => `${email} (${reason})`).join(' '),
  subject: ({ subject }) => subject,
  policy: ({ policyKey }) => policyKey,
  template: ({ templateId = '' }) => templateId,
  key: ({ apiKeyId = '' }) => apiKeyId,
  tags: ({ tags = {} }) =>
    Object.entries(tags)
      .map((tag) => tag.join(':'))
      .join(' '),
  idempotency_key: ({ idempotencyKey = '' }) => idempotencyKey,
} as const satisfies Record<string, (send: ListedSend) => string>;

export const sendColumns: readonly string[] = Object.keys(columns);

/** With the byte order mark that tells spreadsheets it's UTF-8. */
export const sendsHeader = `\ufeff${csvRecord(sendColumns)}`;

/** Cells are written so that no spreadsheet runs them as formulas. */
export const sendsRecords = (sends: readonly ListedSend[]): string =>
  sends.map((send) => csvRecord(Object.values(columns).map((cell) => cell(send)))).join('');
