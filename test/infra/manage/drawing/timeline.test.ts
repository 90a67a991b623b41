import { describe, expect, it } from 'vitest';
import { verdictOf } from '#shared/send-history/verdict';
import { exampleIds } from '#shared/tokens/example-values';
import { endpoint } from '../../../../functions/get-send/get-send.ts';
import { layOut } from '../../../../infra/manage/drawing/layout.ts';
import { drawTimeline } from '../../../../infra/manage/drawing/timeline.ts';

const at = Date.UTC(2026, 10, 21, 9, 0, 0);
const plain = (_: string, text: string) => text;

const draw = (...given: Parameters<typeof drawTimeline>): string =>
  layOut(drawTimeline(...given), Number.POSITIVE_INFINITY);

function timeline(overrides: Readonly<Record<string, unknown>> = {}, send: object = {}) {
  return endpoint.answers[200].body.parse({
    send: {
      _id: 'snd_1',
      feedbackId: exampleIds.feedback,
      status: 'sent',
      outcome: 'sent',
      outcomeAt: at + 200,
      fromEmail: 'hello@mail.example.com',
      toEmail: 'ann@example.com',
      subject: 'Welcome',
      policyKey: 'transactional',
      endpoint: 'send',
      createdAt: at,
      updatedAt: at,
      ...send,
    },
    verdict: verdictOf({ outcome: 'bounced', diagnostic: '550 5.1.1 no' }),
    recipients: [],
    messages: [],
    events: [],
    webhooks: [],
    ...overrides,
  });
}

describe('a drawn timeline', () => {
  it('shows the send, its events and its webhooks', () => {
    const drawn = draw(
      timeline(
        {
          events: [
            { type: 'sent', ts: at + 200, providerMessageId: 'ses-1' },
            {
              type: 'bounced',
              ts: at + 120_000,
              reason: 'Permanent/General',
              recipients: [
                { email: 'ann@example.com', diagnostic: 'smtp; 550 5.1.1 user unknown' },
              ],
            },
          ],
          webhooks: [
            {
              endpointId: 'whk_1',
              type: 'email.sent',
              status: 'failed',
              attempts: 1,
              lastStatusCode: 500,
            },
          ],
        },
        {
          outcome: 'bounced',
          outcomeAt: at + 120_000,
          attempts: [{ attempt: 1, at: at + 100, reason: 'Throttling' }],
          cc: ['bob@example.com'],
        },
      ),
      plain,
    );

    expect(drawn.split('\n')).toEqual([
      'Not delivered: the recipient’s server says this mailbox doesn’t exist.',
      '  → Ask the person for another address. Lift the suppression only if they say that this one works.',
      '',
      'Send     snd_1',
      'Status   sent',
      'Outcome  bounced (2026-11-21 09:02:00Z)',
      'From     hello@mail.example.com',
      'To       ann@example.com',
      'Cc       bob@example.com',
      'Subject  Welcome',
      'Policy   transactional',
      '',
      '2026-11-21 09:00:00Z            ┬ accepted',
      '2026-11-21 09:00:00Z    +0.1 s  ├ attempt 1 failed  Throttling',
      '2026-11-21 09:00:00Z    +0.2 s  ├ sent  accepted by SES as ses-1',
      '2026-11-21 09:02:00Z  +2.0 min  ├ bounced  Permanent/General',
      '                                │   ann@example.com: smtp; 550 5.1.1 user unknown',
      '                                └ webhook email.sent to whk_1  failed, 1 attempt, last answer 500',
    ]);
  });

  it('keeps the service’s order when clocks are skewed, with failed attempts in between by time', () => {
    const events = [
      { type: 'sent', ts: at + 2_000, providerMessageId: 'ses-1' },
      { type: 'delivered', ts: at - 100 },
    ];
    const attempts = [{ attempt: 1, at: at + 1_000, reason: 'Throttling' }];

    const drawn = draw(timeline({ events }, { attempts }), plain);

    expect(drawn.split('\n').slice(-4)).toEqual([
      '2026-11-21 09:00:00Z            ┬ accepted',
      '2026-11-21 09:00:01Z    +1.0 s  ├ attempt 1 failed  Throttling',
      '2026-11-21 09:00:02Z    +2.0 s  ├ sent  accepted by SES as ses-1',
      '2026-11-21 08:59:59Z            └ delivered',
    ]);
  });

  it('shows the attachments', () => {
    const send = { attachmentCount: 2, attachmentBytes: 1_234_567 };

    expect(draw(timeline({}, send), plain)).toContain('Attachments  2 attachments, 1.2 MB');
  });

  it('shows who was left out of a suppressed send', () => {
    const send = {
      status: 'suppressed',
      suppressedRecipients: [{ email: 'ann@example.com', reason: 'bounce' }],
    };

    expect(draw(timeline({}, send), plain)).toContain('Left out  ann@example.com (bounce)');
  });

  it('escapes control characters from outside', () => {
    const send = { subject: 'Hi\u001b[2J\r\nStatus  sent\u202e', failureReason: 'a\u0007b' };

    const drawn = draw(timeline({}, { status: 'failed', ...send }), plain);

    expect(drawn).toContain('Subject  Hi [2J Status  sent\n');
    expect(drawn).toContain('Status   failed: a b\n');
  });
});
