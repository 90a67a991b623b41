import type { Send } from '../../../../../functions/show-console/app/emails/outcomes.ts';

/** An email as a list has it. */
export const buildListedSend = (given: Partial<Send> = {}): Send => ({
  _id: 'snd_1',
  status: 'sent',
  outcome: 'sent',
  outcomeAt: 1_800_000_000_050,
  fromEmail: 'hello@example.com',
  toEmail: 'ann@example.com',
  cc: [],
  bcc: [],
  subject: 'Hello',
  policyKey: 'transactional',
  suppressedRecipients: [],
  endpoint: 'send',
  createdAt: 1_800_000_000_000,
  updatedAt: 1_800_000_000_050,
  ...given,
});
