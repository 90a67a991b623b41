import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { optionWords } from './send-options.ts';

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
  outcome: 'opened',
  outcomeAt: exampleTime + 60_000,
  createdAt: exampleTime,
  updatedAt: exampleTime + 240,
} as const;

/** The reference's words for a send's fields at a path such as `data`. */
export const sendFields = (path: string): Readonly<Record<string, string>> => ({
  [`${path}.fromName`]: 'The name before the From address, if the request gave one.',
  [`${path}.to`]: 'Every `to`, if there are several. `toEmail` is the first.',
  ...Object.fromEntries(
    Object.entries(optionWords()).map(([name, words]) => [`${path}.${name}`, words]),
  ),
  [`${path}.untracked`]:
    'What isn’t tracked in its HTML, and which setting decides: `email`, `policy` or `organization`. No such events arrive.',
  [`${path}.contentUntil`]:
    'Until when the content of the email is kept, in epoch milliseconds. Absent if it isn’t.',
  [`${path}.resendOf`]: 'The send that this one sent again.',
  [`${path}.resentAs`]: 'The first 20 sends that sent this one again.',
  [`${path}.status`]:
    '`scheduled`: it goes out at `sendAt`. `queued`: workers send it soon, or try again. `sending`: an attempt is under way, or its outcome is not known yet. `sent`: SES accepted the email. `suppressed`: no email went out. `failed`: see `failureReason`. `canceled`: it was canceled before it went out.',
  [`${path}.outcome`]:
    'What became of it: its status or, once it’s `sent`, the last in this order that has been reported: `sent` (nothing yet), `delayed`, `delivered`, `soft_bounced` (a later email may arrive), `opened`, `clicked` (both by a person), `bounced` (for good), `complained`.',
  [`${path}.outcomeAt`]: 'When the outcome came, or first did, in epoch milliseconds.',
  [`${path}.sendAt`]:
    'When it goes out, or was due to, if the request said so. Epoch milliseconds.',
  [`${path}.createdAt`]: 'When the send was created, in epoch milliseconds.',
  [`${path}.attempts`]: 'The attempts that failed before the current one, oldest first.',
  [`${path}.attempts.at`]: 'When the failure was recorded, in epoch milliseconds.',
  [`${path}.attempts.reason`]:
    'SES’s name for the failure, for example `MessageRejected`, or ours.',
});
