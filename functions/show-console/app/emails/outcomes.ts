import type { Answer } from '../../../api.ts';
import { every, type Tone } from '../shared/words.ts';
import { bounceWords } from '../suppressions/bounces.ts';
import { reasonText } from '../suppressions/reasons.ts';

export type Send = Answer<'GET /api/v1/sends'>['data'][number];
export type EmailStory = Answer<'GET /api/v1/sends/{id}'>;
export type EmailEvent = EmailStory['events'][number];

export const sendStatuses = every<Send['status']>()(['sent', 'sending', 'suppressed', 'failed']);

/** “Sent” is quiet: Amazon SES took it, and only its timeline tells whether it arrived. */
export const sendWords = {
  sent: ['Sent', 'quiet'],
  sending: ['Sending', 'quiet'],
  suppressed: ['Suppressed', 'warn'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Send['status'], readonly [string, Tone]>;

/** What became of an email for one recipient. */
export type Outcome = {
  readonly email: string;
  readonly field: 'To' | 'Cc' | 'Bcc';
  readonly text: string;
  readonly tone: Tone;
  /** Whether lifting a suppression may help. */
  readonly isBlocked: boolean;
  /** Why the service left this recipient out. */
  readonly reason: string | undefined;
};

export function outcomesOf({ send, events }: EmailStory): Outcome[] {
  const all = [
    { field: 'To', email: send.toEmail },
    ...send.cc.map((email) => ({ field: 'Cc', email }) as const),
    ...send.bcc.map((email) => ({ field: 'Bcc', email }) as const),
  ] as const;
  const isOnlyOne = all.length - send.suppressedRecipients.length === 1;
  return all.map(({ field, email }) => {
    const suppressed = send.suppressedRecipients.find((one) => isSame(one.email, email));
    const [text, tone, isBlocked] = suppressed
      ? ([`Not sent: ${reasonText(suppressed.reason)}`, 'warn', true] as const)
      : outcomeOf(email, send.status, events, isOnlyOne);
    return { email, field, text, tone, isBlocked, reason: suppressed?.reason };
  });
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function outcomeOf(
  email: string,
  status: Send['status'],
  events: readonly EmailEvent[],
  isOnlyOne: boolean,
): readonly [string, Tone, boolean] {
  const latest = (type: EmailEvent['type']) =>
    events
      .filter(
        (event) =>
          event.type === type &&
          (event.recipients === undefined
            ? isOnlyOne
            : event.recipients.some((one) => isSame(one.email, email))),
      )
      .at(-1);
  if (latest('complained')) return ['Delivered, then marked as spam', 'bad', true];
  const bounce = latest('bounced');
  if (bounce) {
    const isHard = bounce.reason?.startsWith('Permanent') ?? false;
    return [bounceWords(bounce).title, isHard ? 'bad' : 'warn', isHard];
  }
  if (status === 'failed') return ['Not sent', 'bad', false];
  if (latest('delivered')) return ['Delivered', 'good', false];
  if (status === 'sending') return ['Sending', 'quiet', false];
  return events.some(({ type }) => type === 'delivered')
    ? ['No bounce so far', 'quiet', false]
    : ['No answer from the server yet', 'quiet', false];
}
