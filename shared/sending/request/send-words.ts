import { longestAheadDays } from '../later/schedule-horizon.ts';
import { optionWords } from '../send-options.ts';
import { maxRecipients } from './send-fields.ts';
import { longestPastMinutes } from './send-request.ts';

/** A separate file, so that bundles that send for other APIs leave these words out. */
export const sendWords = {
  section: 'Emails',
  fields: {
    ...optionWords(),
    from: 'Any address of one of your active domains, with or without a name: `Northwind <billing@northwind.example>`. Default: the organization’s From identity.',
    to: 'One address or a list; the email shows all of them. Each with or without a name: `Ann <ann@example.com>`.',
    cc: `More recipients, given like \`to\`. \`to\`, \`cc\` and \`bcc\` have at most ${maxRecipients} addresses together.`,
    bcc: 'The same. They don’t appear in any header.',
    content: 'The text body. Without it, the email gets the text of `htmlContent`.',
    sendAt: `When the email goes out: epoch milliseconds, or ISO 8601 with a time zone, up to ${longestAheadDays} days ahead. It goes out within a minute of that; a time up to ${longestPastMinutes} minutes in the past means now. Suppressions, pause, domain, limits and template are checked then. It waits up to two days for a template that fits.`,
    mode: '`queued`: workers send the email, so the answer doesn’t wait for SES. If SES throttles or can’t be reached they retry, for an hour by default. Default: `synchronous`.',
    status:
      '`sent`: SES accepted the email. `suppressed`: no email went out, see `suppressedRecipients`. `scheduled`, `queued`, `sending`: it goes out on its own. `canceled`: it was canceled.',
    messageId:
      'SES’s message ID. Absent if `suppressed`, and in a replay as long as only an open or click proves the send.',
  },
} as const;
