import { type Notice, newNotice } from '#shared/notices/notice';
import { dayOf } from '#shared/timing/day';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { type EndpointHealth, leastFailingMs } from './endpoint-health.ts';
import type { DisabledReason, Webhook } from './webhook.ts';

export const failingNotice = (webhook: Webhook, health: EndpointHealth, now: number): Notice =>
  newNotice(
    organizationIdOf(webhook.id),
    {
      cause: 'webhook_failing',
      about: webhook.id,
      subject: `Your webhook endpoint at ${hostOf(webhook)} is failing`,
      text: `The webhook endpoint ${webhook.id} at ${hostOf(webhook)} is failing.

${figuresOf(health)}

If this continues, it will be disabled on ${dayOf(health.since + leastFailingMs)} or soon after, and will stop getting events.

GET /api/v1/webhooks/${webhook.id} shows its health and what waits, and GET /api/v1/webhooks/${webhook.id}/deliveries its answers. Once it works, retry what waits with POST /api/v1/webhooks/${webhook.id}/retry-waiting, and redeliver what it missed with POST /api/v1/webhooks/${webhook.id}/redeliver-failed.`,
    },
    now,
  );

export const disabledNotice = (
  webhook: Webhook,
  reason: Exclude<DisabledReason, 'by_owner'>,
  health: EndpointHealth | undefined,
  now: number,
): Notice =>
  newNotice(
    organizationIdOf(webhook.id),
    {
      cause: 'webhook_disabled',
      about: webhook.id,
      subject: `Your webhook endpoint at ${hostOf(webhook)} is disabled`,
      text: `The webhook endpoint ${webhook.id} at ${hostOf(webhook)} was disabled at ${new Date(now).toISOString()}, so it gets no events.

${reason === 'gone' || health === undefined ? 'It answered 410 (Gone).' : figuresOf(health)}

Once it works again, enable it with PATCH /api/v1/webhooks/${webhook.id} {"enabled": true}, and redeliver what it missed with POST /api/v1/webhooks/${webhook.id}/redeliver-failed. Redeliveries reach it even while it's disabled.`,
    },
    now,
  );

const figuresOf = ({ since, exhausted, delivered }: EndpointHealth): string =>
  `Since ${dayOf(since)}, ${exhausted} of ${exhausted + delivered} deliveries failed every attempt.`;

/** The rest of the URL may hold a token. */
const hostOf = ({ url }: Webhook): string => new URL(url).host;
