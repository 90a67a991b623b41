import { expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import { answerOf } from '../../../../../functions/show-console/app/contacts/answer.ts';

it('answers in plain text what became of email to an address', () => {
  const verdict = verdictOf({
    outcome: 'bounced',
    diagnostic: '550 5.1.1 no',
    email: 'a@b.example',
  });
  const email = { subject: 'Hi', createdAt: Date.UTC(2026, 10, 21, 9), verdict };

  expect(answerOf({ email: 'a@b.example', verdict, emails: [email] }).split('\n')).toEqual([
    'a@b.example: Not delivered: b.example says this mailbox doesn’t exist.',
    verdict.next,
    'Latest email: “Hi”, 2026-11-21 09:00 UTC. Not delivered: b.example says this mailbox doesn’t exist.',
  ]);
});

it('says of an address that got nothing only that', () => {
  const verdict = { code: 'unknown_address', sentence: 'No email was ever sent' } as const;

  expect(answerOf({ email: 'a@b.example', verdict, emails: [] })).toBe(
    'a@b.example: No email was ever sent.',
  );
});
