import { longestDelaysMs, mostAttempts } from '#shared/webhooks/retry-delay';
import type { Webhook } from '#shared/webhooks/webhook';
import { firstAttemptGraceMs, leaseMs } from './delivery.ts';

/**
 * From a delivery's creation until its last attempt has failed, if each answer asks for the longest delay.
 *
 * @param ofDeployment the deployment's number of attempts.
 */
export function longestTriedMs(
  webhook: Pick<Webhook, 'format' | 'maxAttempts'>,
  ofDeployment: number,
): number {
  const most = mostAttempts(webhook, ofDeployment);
  return firstAttemptGraceMs + most * leaseMs + longestDelaysMs(webhook, most);
}
