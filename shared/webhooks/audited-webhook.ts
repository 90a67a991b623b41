import { nothingElse } from '#shared/errors/nothing-else';
import { digest } from '#shared/tokens/base32';
import type { Webhook } from './webhook.ts';

/** What an entry of the audit tells of a webhook. It has no secret. */
export function auditedWebhook(webhook: Webhook) {
  const { url, eventTypes, description, disabled, previousSecrets, ...unaudited } = webhook;
  const { id: _id, secret: _secret, health: _health, slowUntil: _slowUntil, ...times } = unaudited;
  const { createdAt: _createdAt, updatedAt: _updatedAt, ...rest } = times;
  nothingElse(rest);
  const ends = previousSecrets.map(({ expiresAt }) => expiresAt);
  return {
    url: auditedUrl(url),
    eventTypes,
    description,
    disabled: disabled?.reason,
    previousSecretsExpireAt: ends.length === 0 ? undefined : Math.max(...ends),
  };
}

/**
 * A URL by its origin. Path and query may hold a token or an address, so a digest stands for them: one sees
 * that they changed, and not what they are.
 */
function auditedUrl(text: string): string {
  const url = new URL(text);
  const rest = text.slice(url.origin.length);
  return rest === '' || rest === '/' ? url.origin : `${url.origin}/…${digest(rest, 8)}`;
}
