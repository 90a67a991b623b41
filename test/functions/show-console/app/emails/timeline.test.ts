import { expect, it } from 'vitest';
import { fatesOf } from '../../../../../functions/show-console/app/emails/outcomes.ts';
import { gapSize, timelineOf } from '../../../../../functions/show-console/app/emails/timeline.ts';
import type { EmailStory } from '../../../../../functions/show-console/app/shared/words.ts';

const madeAt = 1_800_000_000_000;

function buildStory(
  send: Partial<EmailStory['send']> = {},
  events: EmailStory['events'] = [],
): EmailStory {
  return {
    send: {
      _id: 'snd_1',
      status: 'sent',
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
      feedbackId: 'fbk_1',
      ...send,
    },
    messages: [],
    events,
    webhooks: [],
  };
}

it('tells the story in order, with the time between its steps', () => {
  const story = buildStory({}, [
    { type: 'delivered', ts: madeAt + 2_000 },
    { type: 'sent', ts: madeAt + 200 },
  ]);

  const steps = timelineOf(story);

  expect(steps.map(({ title, gap }) => [title, gap])).toEqual([
    ['Accepted from your application', undefined],
    ['Amazon SES took it', 200],
    ['The recipient’s server took it', 1_800],
  ]);
});

it('tells a bounce in plain English, beside the words of the server', () => {
  const reply = 'smtp; 550 5.1.1 user unknown';
  const story = buildStory({}, [
    {
      type: 'bounced',
      ts: madeAt + 900,
      reason: 'Permanent/General',
      recipients: [{ email: 'ann@example.com', diagnostic: reply }],
    },
  ]);

  const [, bounce] = timelineOf(story);

  expect(bounce).toMatchObject({
    title: 'Bounced for good',
    who: [
      {
        email: 'ann@example.com',
        reply,
        meaning: 'The server says that there is no mailbox with this name.',
      },
    ],
  });
  expect(bounce?.reply).toBeUndefined();
});

it('tells of each recipient what its own server said', () => {
  const recipients = [
    { email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 user unknown' },
    { email: 'bob@example.com', diagnostic: 'smtp; 552 5.2.2 over quota' },
    { email: 'eve@example.com' },
  ];
  const events = [
    { type: 'bounced', ts: madeAt, reason: 'Permanent/General', recipients },
  ] as const;

  const [, bounce] = timelineOf(buildStory({}, events));

  expect(bounce?.who.map(({ meaning }) => meaning)).toEqual([
    'The server says that there is no mailbox with this name.',
    'The server says that the mailbox is full.',
    undefined,
  ]);
});

it('has SES’s own words of a bounce of which no server said anything', () => {
  const events = [{ type: 'bounced', ts: madeAt, reason: 'Permanent/General' }] as const;

  expect(timelineOf(buildStory({}, events))[1]?.reply).toBe('Permanent/General');
});

it('says of a bounce for now that a later email may arrive', () => {
  const events = [{ type: 'bounced', ts: madeAt, reason: 'Transient/MailboxFull' }] as const;

  const [, bounce] = timelineOf(buildStory({}, events));

  expect(bounce).toMatchObject({
    title: 'Bounced for now',
    tone: 'warn',
    meaning: 'The mailbox is full. A later email may arrive.',
  });
});

it('never tells a machine for a person', () => {
  const events = [{ type: 'opened', ts: madeAt + 1, machine: true, hits: 3 }] as const;

  const [, opened] = timelineOf(buildStory({}, events));

  expect(opened).toMatchObject({ title: 'Opened by a machine, 3 times', tone: 'quiet' });
});

it.each([
  ['suppressed', 'Not sent: no recipient was left'],
  ['failed', 'Not sent'],
  ['sending', 'Being handed over'],
] as const)('ends the story of a send that is %s', (status, title) => {
  const story = buildStory({ status, failureReason: 'MessageRejected' });

  expect(timelineOf(story).at(-1)?.title).toBe(title);
});

it('tells each failed attempt', () => {
  const attempts = [{ attempt: 1, at: madeAt + 10, reason: 'TooManyRequestsException' }];

  const [, attempt] = timelineOf(buildStory({ attempts }));

  expect(attempt).toMatchObject({ title: 'Attempt 1 failed', reply: 'TooManyRequestsException' });
});

it('draws three lengths of time', () => {
  expect([9_999, 10_000, 3_599_999, 3_600_000].map(gapSize)).toEqual([
    'short',
    'medium',
    'medium',
    'long',
  ]);
});

it('tells what became of each recipient', () => {
  const story = buildStory(
    {
      cc: ['bob@example.com'],
      bcc: ['eve@example.com'],
      suppressedRecipients: [{ email: 'eve@example.com', reason: 'unsubscribe' }],
    },
    [
      { type: 'delivered', ts: madeAt + 1 },
      {
        type: 'bounced',
        ts: madeAt + 2,
        reason: 'Permanent/General',
        recipients: [{ email: 'BOB@example.com' }],
      },
    ],
  );

  const fates = fatesOf(story);

  expect(fates.map(({ field, text, isBlocked }) => [field, text, isBlocked])).toEqual([
    ['To', 'No bounce known', false],
    ['Cc', 'Bounced for good', true],
    ['Bcc', 'Not sent: Unsubscribed', true],
  ]);
});

it('takes a delivery for that of the only recipient', () => {
  const [fate] = fatesOf(buildStory({}, [{ type: 'delivered', ts: madeAt + 1 }]));

  expect(fate).toMatchObject({ text: 'Delivered', tone: 'good' });
});
