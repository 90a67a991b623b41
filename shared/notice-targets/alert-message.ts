import type { NoticeCause } from '#shared/notices/notice';
import type { NoticeTarget } from './notice-target.ts';

/** What a target is told. */
export type Alert = {
  /** Whom it's about: an organization's or a deployment's name. */
  readonly source: string;
  readonly subject: string;
  readonly text: string;
  readonly severity: Severity;
  /** PagerDuty joins alerts with the same one into an incident, and `resolve` ends it. */
  readonly dedupKey: string;
  readonly action: 'trigger' | 'resolve';
  readonly at: number;
};

type Severity = 'critical' | 'error' | 'warning' | 'info';

const severities: Readonly<Partial<Record<NoticeCause, Severity>>> = {
  identity_lost: 'critical',
  tenant_paused: 'critical',
  webhook_disabled: 'error',
  complaint_rate: 'error',
  key_spiking: 'error',
  identity_active: 'info',
};

export const severityOf = (cause: NoticeCause): Severity => severities[cause] ?? 'warning';

/** The body of the request to the target. */
export function alertMessage(target: NoticeTarget, alert: Alert): string {
  switch (target.type) {
    case 'slack':
      return JSON.stringify(slackMessage(alert));
    case 'teams':
      return JSON.stringify(teamsMessage(alert));
    case 'pagerduty':
      return JSON.stringify({ routing_key: target.routingKey, ...pagerDutyEvent(alert) });
  }
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** Of a header block, and of a section's text (Slack's documentation, "Blocks"). */
const maxHeader = 150;
const maxSection = 3_000;

/**
 * `text` is what notifications show, and is Slack's markup; the blocks are plain, so nothing in a notice can mention a
 * channel or hide a link.
 *
 * Source: Slack's documentation, "Sending messages using incoming webhooks", "Formatting message text".
 */
const slackMessage = ({ source, subject, text }: Alert) => ({
  text: escapedForSlack(`${source}: ${subject}`),
  blocks: [
    { type: 'header', text: plain(cut(subject, maxHeader)) },
    { type: 'section', text: plain(cut(text, maxSection)) },
    { type: 'context', elements: [plain(cut(source, maxHeader))] },
  ],
});

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });

const escapedForSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Text runs, unlike text blocks, have no markup.
 *
 * Source: Microsoft's documentation, "Create incoming webhooks with Workflows"; Adaptive Cards' schema, "RichTextBlock".
 */
const teamsMessage = ({ source, subject, text }: Alert) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          richText({ text: subject, weight: 'Bolder', size: 'Medium' }),
          ...text.split(/\n{2,}/).map((paragraph) => richText({ text: paragraph })),
          richText({ text: source, isSubtle: true }),
        ],
      },
    },
  ],
});

const richText = (run: Readonly<Record<string, unknown>>) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run }],
});

const maxSummary = 1_024;
const maxDedupKey = 255;

/** Source: PagerDuty's developer documentation, "Send an Alert Event". */
const pagerDutyEvent = ({ source, subject, text, severity, dedupKey, action, at }: Alert) => ({
  event_action: action,
  dedup_key: dedupKey.slice(0, maxDedupKey),
  ...(action === 'trigger' && {
    payload: {
      summary: cut(subject, maxSummary),
      source,
      severity,
      timestamp: new Date(at).toISOString(),
      custom_details: { text },
    },
  }),
});
