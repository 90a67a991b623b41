import { expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import { timelineOf } from '../../../../../functions/show-console/app/emails/timeline.ts';
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

it('explains a bounce in the service’s words, beside the server’s', () => {
  const reply = 'smtp; 550 5.1.1 user unknown';
  const bounced = { reason: 'Permanent/General', diagnostic: reply };
  const story = buildStory({}, [
    {
      type: 'bounced',
      ts: madeAt + 900,
      reason: bounced.reason,
      recipients: [{ email: 'ann@example.com', diagnostic: reply }],
      verdict: verdictOf({ outcome: 'bounced', ...bounced }),
    },
  ]);

  const [, bounce] = timelineOf(story);

  expect(bounce).toMatchObject({
    title: 'Hard bounce',
    tone: 'bad',
    meaning: 'This mailbox doesn’t exist.',
    who: [{ email: 'ann@example.com', reply }],
  });
  expect(bounce?.reply).toBeUndefined();
});

it('says of a delivery among several that it’s one of them', () => {
  const story = buildStory({ cc: ['bob@example.com'] }, [{ type: 'delivered', ts: madeAt }]);

  expect(timelineOf(story)[1]?.title).toBe('Delivered to a recipient’s server');
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
