import { longestAheadDays } from '../later/waiting.ts';
import { optionWords } from '../send-reference.ts';

/** A file of its own: bundles that send for other APIs have words of their own. */
export const sendWords = {
  section: 'Emails',
  fields: {
    ...optionWords,
    from: 'The sender: any address of an active domain of yours, with a name if you like, such as `Northwind <billing@northwind.example>`. Default: the organization’s From identity.',
    to: 'One address, or several as a list: one email that shows them all. Each with a name if you like, such as `Ann <ann@example.com>`, which the email shows, too.',
    content: 'The text body. Without it, the email gets the text of `htmlContent`.',
    sendAt: `When the email goes out: epoch milliseconds, or ISO 8601 with a time zone; up to ${longestAheadDays} days ahead, and within a minute of it. A time in the past means now. Suppressions, pause, domain and limits are judged then.`,
    mode: '`queued`: the email is stored, and workers send it; the answer doesn’t wait for SES. While SES throttles or can’t be reached they try again, for an hour by default. Default: `synchronous`.',
    status:
      '`sent`: SES took the email. `suppressed`: no email went out, see `suppressedRecipients`. `scheduled`, `queued`, `sending`: it goes out by itself. `canceled`: it was called off.',
    messageId:
      'SES’s id of the message. Absent when `status` is `suppressed`, and in a replay of a send that so far only a fetch of its pixel or links proves.',
  },
} as const;
