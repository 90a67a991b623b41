import * as z from 'zod/mini';
import { hostOf } from '#shared/outbound/public-url';
import { type PagerDutyRegion, pagerDutyRegions } from './target-types.ts';

// Where an organization gets its notices besides email. A target's URL or routing key is a secret: whoever has it can
// write there. It's stored as webhooks' secrets are, and shown by its last characters only.

const moments = { createdAt: z.int(), updatedAt: z.int() };

export const noticeTargetSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('slack'), url: z.string(), ...moments }),
  z.object({ type: z.literal('teams'), url: z.string(), ...moments }),
  z.object({
    type: z.literal('pagerduty'),
    routingKey: z.string(),
    region: z.enum(pagerDutyRegions),
    ...moments,
  }),
]);
export type NoticeTarget = z.infer<typeof noticeTargetSchema>;

/** What came of its last notices. */
export const targetStateSchema = z.object({
  lastSentAt: z.optional(z.int()),
  /** Absent once a later notice got through. */
  lastFailure: z.optional(z.object({ at: z.int(), reason: z.string() })),
});
export type TargetState = z.infer<typeof targetStateSchema>;

/** Sources: PagerDuty's developer documentation, "Events API v2 Overview" and "Service Regions". */
const eventsHosts: Readonly<Record<PagerDutyRegion, string>> = {
  us: 'events.pagerduty.com',
  eu: 'events.eu.pagerduty.com',
};

/** Where a target's messages are posted. */
export const postAddressOf = (target: NoticeTarget): string =>
  target.type === 'pagerduty' ? `https://${eventsHosts[target.region]}/v2/enqueue` : target.url;

const secretOf = (target: NoticeTarget): string =>
  target.type === 'pagerduty' ? target.routingKey : target.url;

const shownCharacters = 4;

/** What may be shown of it: to its organization, in the audit and in notices. */
export const shownTarget = (target: NoticeTarget) => ({
  type: target.type,
  host: new URL(postAddressOf(target)).host,
  endsWith: secretOf(target).slice(-shownCharacters),
});

/** The same place, so what came of earlier notices still holds. */
export const isSamePlace = (one: NoticeTarget, other: NoticeTarget): boolean =>
  one.type === other.type &&
  secretOf(one) === secretOf(other) &&
  postAddressOf(one) === postAddressOf(other);

/**
 * Sources: Slack's documentation, "Sending messages using incoming webhooks"; Microsoft's, "Create incoming webhooks
 * with Workflows", whose URLs are Azure Logic Apps' and, for newer flows, Power Platform's.
 */
const webhookHosts = {
  slack: /^hooks\.slack(?:-gov)?\.com$/,
  teams: /\.(?:logic\.azure\.(?:com|us)|api\.powerplatform\.(?:com|us))$/,
} as const;

const hostWords = {
  slack: 'must be an incoming webhook of Slack: https://hooks.slack.com/services/…',
  teams:
    'must be the URL of a Teams workflow: https://….logic.azure.com/… or https://….api.powerplatform.com/…',
} as const;

/** Elsewhere the URL would be a secret that went to the wrong place. */
export const hostFaultOf = (type: 'slack' | 'teams', url: URL): string | undefined =>
  webhookHosts[type].test(hostOf(url)) && url.port === '' ? undefined : hostWords[type];
