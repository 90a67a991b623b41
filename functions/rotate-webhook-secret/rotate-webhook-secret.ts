import { authenticateManager } from '#shared/access/authenticate';
import type { WebhookId } from '#shared/tokens/resource-id';
import { changeWebhook } from '#shared/webhooks/change-webhook';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import type { RotateSecretRequest } from './endpoint.ts';

/**
 * Gives a webhook a new secret. The previous secret also signs until the overlap ends, and so do those of
 * earlier rotations until their overlaps end. A rotation whose answer was lost can therefore be repeated:
 * receivers that know only an older secret still verify.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`,
 *   `concurrent_change`
 */
export async function rotateWebhookSecret(
  credential: string | undefined,
  id: WebhookId | undefined,
  parse: () => RotateSecretRequest,
  management: WebhookManagement,
): Promise<Webhook> {
  const manager = await authenticateManager(credential, management);
  const { overlapHours } = parse();
  const change = (webhook: Webhook, now: number) => withNewSecret(webhook, overlapHours, now);
  return changeWebhook(id, manager, 'webhook.secret_rotated', change, management);
}

const hourMs = 3_600_000;
/** Each of them adds a signature to every message. */
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
