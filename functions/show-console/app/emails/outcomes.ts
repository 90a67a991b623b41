import {
  type EmailStory,
  type EmailEvent as Event,
  reasonText,
  type Tone,
} from '../shared/words.ts';
import { bounceWords } from '../suppressions/bounces.ts';

export type Fate = {
  readonly email: string;
  readonly field: 'To' | 'Cc' | 'Bcc';
  readonly text: string;
  readonly tone: Tone;
  /** Whether lifting a suppression may help this person. */
  readonly isBlocked: boolean;
  /** Why the service sent this person nothing. */
  readonly reason: string | undefined;
};

/** What became of each recipient. */
export function fatesOf({ send, events }: EmailStory): Fate[] {
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
      : fateOf(email, send.status, events, isOnlyOne);
    return { email, field, text, tone, isBlocked, reason: suppressed?.reason };
  });
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function fateOf(
  email: string,
  status: EmailStory['send']['status'],
  events: readonly Event[],
  isOnlyOne: boolean,
): readonly [string, Tone, boolean] {
  const of = (type: Event['type']) =>
    events
      .filter(
        (event) =>
          event.type === type &&
          (event.recipients === undefined
            ? isOnlyOne
            : event.recipients.some((one) => isSame(one.email, email))),
      )
      .at(-1);
  if (of('complained')) return ['Got it, and marked it as spam', 'bad', true];
  const bounce = of('bounced');
  if (bounce) {
    const isForGood = bounce.reason?.startsWith('Permanent') ?? false;
    return [bounceWords(bounce).title, isForGood ? 'bad' : 'warn', isForGood];
  }
  if (status === 'failed') return ['Not sent', 'bad', false];
  if (of('delivered')) return ['Delivered', 'good', false];
  if (status === 'sending') return ['Being handed over', 'quiet', false];
  return events.some(({ type }) => type === 'delivered')
    ? ['No bounce known', 'quiet', false]
    : ['No word from the server yet', 'quiet', false];
}
