import { capability } from '#shared/aws/capability';
import { webhookUrlEnvironment } from '#shared/config/environment';
import type { PublicUrlPolicy } from '#shared/outbound/public-url';
import { createWebhookPoster, type PostOutcome } from '#shared/webhook-deliveries/webhook-poster';
import { type Alert, alertMessage } from './alert-message.ts';
import { type NoticeTarget, postAddressOf } from './notice-target.ts';

/** `refused`: trying again wouldn't help. */
export type AlertOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused' | 'unreachable'; readonly reason: string };

export type AlertPoster = (target: NoticeTarget, alert: Alert) => Promise<AlertOutcome>;

/** Chat answers at once; a workflow that doesn't is repeated later. */
const timeoutMs = 5_000;

/** Connects only to public addresses, and follows no redirect. Never throws. */
export function createAlertPoster(
  policy: PublicUrlPolicy,
  post = createWebhookPoster(policy, timeoutMs),
): AlertPoster {
  return async (target, alert) =>
    alertOutcomeOf(
      await post({ url: postAddressOf(target), body: alertMessage(target, alert), headers: {} }),
    );
}

/** The answer itself may quote the message, so only its status is kept. */
export function alertOutcomeOf(outcome: PostOutcome): AlertOutcome {
  if (outcome.kind === 'unanswered') return { kind: 'unreachable', reason: outcome.error };
  const { statusCode } = outcome;
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered' };
  const mayPass = statusCode >= 500 || statusCode === 429 || statusCode === 408;
  return { kind: mayPass ? 'unreachable' : 'refused', reason: `status_${statusCode}` };
}

export const postsAlerts = /* @__PURE__ */ capability(
  { environment: webhookUrlEnvironment },
  ({ WEBHOOK_ALLOW_LOOPBACK_HTTP: allowLoopbackHttp }) => ({
    post: createAlertPoster({ allowLoopbackHttp }),
    urlPolicy: { allowLoopbackHttp },
  }),
);
export type AlertPosting = ReturnType<(typeof postsAlerts)['open']>;
