import { expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import type { Send } from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { whyOf } from '../../../../../functions/show-console/app/emails/why.ts';
import { buildListedSend } from './email-builders.ts';

const email = 'ben@gone.example';
const gone = { reason: 'Permanent/General', diagnostic: '550 5.1.1 user unknown', email };

it.each([
  [{ outcome: 'bounced' }, gone, 'This mailbox doesn’t exist'],
  [{ outcome: 'bounced', cc: [email] }, gone, 'This mailbox doesn’t exist (ben@gone.example)'],
  [{ outcome: 'bounced' }, { diagnostic: 'go away' }, 'Go away'],
  [{ outcome: 'complained' }, { reason: 'abuse' }, 'The reader pressed “spam”'],
  [{ outcome: 'delayed' }, { diagnostic: '452 4.2.2 full' }, 'The mailbox is full'],
  [{ outcome: 'delivered' }, {}, undefined],
] satisfies [Partial<Send> & Pick<Send, 'outcome'>, Send['cause'] & object, string | undefined][])(
  'says of %o why, given %o: %s',
  (send, cause, why) => {
    const verdict = verdictOf({ ...send, ...cause });

    expect(whyOf(buildListedSend({ ...send, cause, verdict }))).toBe(why);
  },
);
