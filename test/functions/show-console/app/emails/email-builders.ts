import { verdictOf } from '#shared/send-history/verdict';
import type {
  EmailStory,
  Send,
} from '../../../../../functions/show-console/app/emails/outcomes.ts';

export const madeAt = 1_800_000_000_000;

/** Of an email that SES has taken, as a list has it. */
export const buildListedSend = (given: Partial<Send> = {}): Send => ({
  _id: 'snd_1',
  status: 'sent',
  outcome: 'sent',
  outcomeAt: madeAt + 50,
  fromEmail: 'hello@example.com',
  toEmail: 'ann@example.com',
  cc: [],
  bcc: [],
  subject: 'Welcome',
  policyKey: 'transactional',
  suppressedRecipients: [],
  endpoint: 'send',
  createdAt: madeAt,
  updatedAt: madeAt + 50,
  verdict: verdictOf({ outcome: 'sent' }),
  ...given,
});

export const buildStory = (
  send: Partial<EmailStory['send']> = {},
  events: EmailStory['events'] = [],
  recipients: EmailStory['recipients'] = [],
): EmailStory => ({
  verdict: verdictOf({ outcome: 'sent' }),
  recipients,
  send: { ...buildListedSend(), feedbackId: 'fbk_1', ...send },
  messages: [],
  events,
  webhooks: [],
});
