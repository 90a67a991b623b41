import type { Manager } from '#shared/access/admit-caller';
import type { TableAndClock } from '#shared/table/table-client';
import type { WebhookId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from './signature.ts';
import type { Webhook } from './webhook.ts';
import { changeWebhook } from './webhook-management.ts';

type Rotation = {
  readonly caller: Manager;
  readonly path: { readonly id: WebhookId };
  readonly body: { readonly overlapHours: number };
};

/**
 * The previous secret keeps signing until the overlap ends, and secrets of earlier rotations until theirs do. So a
 * rotation whose answer was lost can be repeated.
 */
export async function rotateWebhookSecret(
  { caller, path: { id }, body: { overlapHours } }: Rotation,
  service: TableAndClock,
): Promise<Webhook> {
  const change = (webhook: Webhook, now: number) => withNewSecret(webhook, overlapHours, now);
  return changeWebhook(id, caller, 'webhook.secret_rotated', change, service);
}

const hourMs = 3_600_000;
/** Each adds a signature to every message. */
const maxPreviousSecrets = 5;

function withNewSecret(webhook: Webhook, overlapHours: number, now: number): Webhook {
  const previous = { secret: webhook.secret, expiresAt: now + Math.round(overlapHours * hourMs) };
  const signing = webhook.previousSecrets.filter(({ expiresAt }) => expiresAt > now);
  return {
    ...webhook,
    secret: newWebhookSecret(),
    previousSecrets: overlapHours === 0 ? [] : [previous, ...signing].slice(0, maxPreviousSecrets),
  };
}
