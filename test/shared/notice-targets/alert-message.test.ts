import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Alert, alertMessage, severityOf } from '#shared/notice-targets/alert-message';
import type { NoticeTarget } from '#shared/notice-targets/notice-target';
import { noticeCauses } from '#shared/notices/notice';

const moments = { createdAt: 1, updatedAt: 1 };
const targets = {
  slack: { type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/secret', ...moments },
  teams: { type: 'teams', url: 'https://prod-1.westeurope.logic.azure.com/x?sig=s', ...moments },
  pagerduty: { type: 'pagerduty', routingKey: 'k'.repeat(32), region: 'us', ...moments },
} as const satisfies Record<string, NoticeTarget>;

const alert: Alert = {
  source: 'Northwind',
  subject: 'Your domain northwind.example is no longer verified',
  text: 'It lost its verification.\n\nPut its DKIM records back.',
  severity: 'critical',
  dedupKey: 'org_1:identity_lost:northwind.example',
  action: 'trigger',
  at: Date.UTC(2026, 10, 21, 9),
};

const messageTo = (target: NoticeTarget, changes: Partial<Alert> = {}): unknown =>
  JSON.parse(alertMessage(target, { ...alert, ...changes }));

describe('a message to Slack', () => {
  it('has a text for notifications, and blocks', () => {
    expect(messageTo(targets.slack)).toEqual({
      text: `Northwind: ${alert.subject}`,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: alert.subject, emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: alert.text, emoji: false } },
        {
          type: 'context',
          elements: [{ type: 'plain_text', text: 'Northwind', emoji: false }],
        },
      ],
    });
  });

  it('mentions nobody and hides no link, whatever is in the notice', () => {
    const subject = '<!channel> <https://evil.example|Sign in> & more';

    expect(messageTo(targets.slack, { subject })).toMatchObject({
      text: 'Northwind: &lt;!channel&gt; &lt;https://evil.example|Sign in&gt; &amp; more',
      blocks: [{ text: { type: 'plain_text', text: subject } }, {}, {}],
    });
  });

  it('is within Slack’s limits', () => {
    const shape = z.object({
      blocks: z.array(z.object({ text: z.object({ text: z.string() }).optional() })),
    });
    fc.assert(
      fc.property(fc.string({ maxLength: 5_000 }), (text) => {
        const { blocks } = shape.parse(messageTo(targets.slack, { subject: text, text }));
        expect(blocks[0]?.text?.text.length).toBeLessThanOrEqual(150);
        expect(blocks[1]?.text?.text.length).toBeLessThanOrEqual(3_000);
      }),
    );
  });
});

describe('a message to Teams', () => {
  it('is an adaptive card of text runs, a block for each paragraph', () => {
    expect(messageTo(targets.teams)).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: alert.subject }] },
              { inlines: [{ text: 'It lost its verification.' }] },
              { inlines: [{ text: 'Put its DKIM records back.' }] },
              { inlines: [{ text: 'Northwind', isSubtle: true }] },
            ],
          },
        },
      ],
    });
  });
});

describe('an event for PagerDuty', () => {
  it('triggers with what it’s about', () => {
    expect(messageTo(targets.pagerduty)).toEqual({
      routing_key: targets.pagerduty.routingKey,
      event_action: 'trigger',
      dedup_key: alert.dedupKey,
      payload: {
        summary: alert.subject,
        source: 'Northwind',
        severity: 'critical',
        timestamp: '2026-11-21T09:00:00.000Z',
        custom_details: { text: alert.text },
      },
    });
  });

  it('resolves by its key alone', () => {
    expect(messageTo(targets.pagerduty, { action: 'resolve' })).toEqual({
      routing_key: targets.pagerduty.routingKey,
      event_action: 'resolve',
      dedup_key: alert.dedupKey,
    });
  });
});

it('has no URL or key in a message to Slack or Teams', () => {
  for (const target of [targets.slack, targets.teams]) {
    expect(alertMessage(target, alert)).not.toContain(target.url);
  }
});

it.each(noticeCauses)('%s has a severity', (cause) => {
  expect(['critical', 'error', 'warning', 'info']).toContain(severityOf(cause));
});
