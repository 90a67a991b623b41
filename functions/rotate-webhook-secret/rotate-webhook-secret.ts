import { authenticateManager } from '#shared/organizations/authenticate-manager';
import type { WebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { changeWebhook } from '#shared/webhooks/manage-webhook';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import type { RotateSecretRequest } from './schema.ts';

/**
 * Gives a webhook endpoint a new secret. The secret of before signs too until the overlap ends, and so
 * does one of an earlier rotation until its own does: a rotation whose answer was lost can be repeated,
 * and receivers with the only secret they ever got still verify.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`,
 *   `concurrent_change`
 */
export async function rotateWebhookSecret(
  credential: string | undefined,
  id: string,
  parse: () => RotateSecretRequest,
  dependencies: Pick<WebhookDependencies, 'now' | 'apiKeys' | 'getWebhook' | 'replaceWebhook'>,
): Promise<Webhook> {
  const organizationId = await authenticateManager(credential, dependencies);
  const { overlapHours } = parse();
  const change = (webhook: Webhook, now: number) => withNewSecret(webhook, overlapHours, now);
  return changeWebhook(id, organizationId, change, dependencies);
}

const hourMs = 3_600_000;
/** Each is one more signature on every message. */
const mostPreviousSecrets = 5;

function withNewSecret(webhook: Webhook, overlapHours: number, now: number): Webhook {
  const previous = { secret: webhook.secret, expiresAt: now + Math.round(overlapHours * hourMs) };
  const signing = webhook.previousSecrets.filter(({ expiresAt }) => expiresAt > now);
  return {
    ...webhook,
    secret: newWebhookSecret(),
    previousSecrets: overlapHours === 0 ? [] : [previous, ...signing].slice(0, mostPreviousSecrets),
  };
}
