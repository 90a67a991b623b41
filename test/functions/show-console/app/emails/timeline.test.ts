import { expect, it } from 'vitest';
import { gapSize, timelineOf } from '../../../../../functions/show-console/app/emails/timeline.ts';
import { buildStory, madeAt } from './email-builders.ts';

it('lists an email’s steps in order, with the time between them', () => {
  const story = buildStory({}, [
    { type: 'sent', ts: madeAt + 200 },
    { type: 'delivered', ts: madeAt + 2_000 },
  ]);

  const steps = timelineOf(story);

  expect(steps.map(({ title, gap }) => [title, gap])).toEqual([
    ['Accepted', undefined],
    ['Sent by Amazon SES', 200],
    ['Delivered to the recipient’s server', 1_800],
  ]);
});

it('keeps the service’s order when clocks are skewed, with failed attempts in between by time', () => {
  const story = buildStory({ attempts: [{ attempt: 1, at: madeAt + 50, reason: 'Throttling' }] }, [
    { type: 'sent', ts: madeAt + 200 },
    { type: 'delivered', ts: madeAt - 100 },
    { type: 'opened', ts: madeAt + 5_200 },
  ]);

  const steps = timelineOf(story);

  expect(steps.map(({ title, gap }) => [title, gap])).toEqual([
    ['Accepted', undefined],
    ['Attempt 1 failed', 50],
    ['Sent by Amazon SES', 150],
    ['Delivered to the recipient’s server', 0],
    ['Opened', 5_300],
  ]);
});

it.each([
  ['scheduled', 'Goes out'],
  ['queued', 'Queued'],
  ['canceled', 'Canceled'],
] as const)('doesn’t call an email refused that is %s', (status, title) => {
  const steps = timelineOf(buildStory({ status, outcome: status }));

  expect(steps[1]).toMatchObject({ title, tone: 'quiet' });
  expect(JSON.stringify(steps)).not.toContain('refused');
});

it('explains a bounce in plain English, beside the server’s words', () => {
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
    title: 'Hard bounce',
    tone: 'bad',
    who: [
      {
        email: 'ann@example.com',
        reply,
        meaning: 'The server says there is no such mailbox.',
      },
    ],
  });
  expect(bounce?.reply).toBeUndefined();
});

it('shows each recipient its own server’s reply', () => {
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
    'The server says there is no such mailbox.',
    'The server says the mailbox is full.',
    undefined,
  ]);
});

it('says of a delivery among several where to look for it only if nobody bounced', () => {
  const delivered = { type: 'delivered', ts: madeAt } as const;
  const recipients = [{ email: 'bob@example.com' }, { email: 'ann@example.com' }];
  const bounced = {
    type: 'bounced',
    ts: madeAt + 1,
    reason: 'Permanent/General',
    recipients,
  } as const;
  const send = { cc: ['bob@example.com'] };

  const [, whole] = timelineOf(buildStory(send, [delivered]));
  const [, part, bounce] = timelineOf(buildStory(send, [delivered, bounced]));

  expect([whole?.title, whole?.meaning]).toEqual([
    'Delivered to a recipient’s server',
    expect.stringContaining('spam folder'),
  ]);
  expect([part?.title, part?.meaning]).toEqual([whole?.title, undefined]);
  expect(bounce?.meaning).toBe('The addresses are suppressed.');
});

it('shows SES’s words for a bounce without a server’s reply', () => {
  const events = [{ type: 'bounced', ts: madeAt, reason: 'Permanent/General' }] as const;

  expect(timelineOf(buildStory({}, events))[1]?.reply).toBe('Permanent/General');
});

it('never shows a machine’s open as a person’s', () => {
  const events = [{ type: 'opened', ts: madeAt + 1, machine: true, hits: 3 }] as const;

  const [, opened] = timelineOf(buildStory({}, events));

  expect(opened).toMatchObject({ title: 'Opened by a machine, 3 times', tone: 'quiet' });
});

it.each([
  ['suppressed', 'Not sent: all recipients are suppressed'],
  ['failed', 'Not sent'],
  ['sending', 'Sending'],
] as const)('ends the timeline of a send that is %s', (status, title) => {
  const story = buildStory({ status, failureReason: 'MessageRejected' });

  expect(timelineOf(story).at(-1)?.title).toBe(title);
});

it('lists each failed attempt of a send', () => {
  const attempts = [{ attempt: 1, at: madeAt + 10, reason: 'TooManyRequestsException' }];

  const [, attempt] = timelineOf(buildStory({ attempts }));

  expect(attempt).toMatchObject({ title: 'Attempt 1 failed', reply: 'TooManyRequestsException' });
});

it('says of an email that waits for its template what brings it on its way', () => {
  const attempts = [{ attempt: 1, at: madeAt + 10, reason: 'TemplateUnusable' }];
  const send = { status: 'queued', updatedAt: madeAt + 20, attempts } as const;

  const [, attempt, end] = timelineOf(buildStory(send));

  expect(attempt?.meaning).toMatch(/^Its template no longer fits/);
  expect(end?.meaning).toMatch(/^Publish one that fits/);
});

it('draws gaps of a timeline in three sizes', () => {
  expect([9_999, 10_000, 3_599_999, 3_600_000].map(gapSize)).toEqual([
    'short',
    'medium',
    'medium',
    'long',
  ]);
});
