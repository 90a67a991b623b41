import { authenticateManager } from '#shared/access/authenticate';
import type { WebhookId } from '#shared/tokens/resource-id';
import { changeWebhook } from '#shared/webhooks/change-webhook';
import type { Webhook } from '#shared/webhooks/webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import { requireValidUrl, type WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import type { UpdateWebhookRequest } from './endpoint.ts';

/**
 * Changes the given fields of a webhook.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `webhook_not_found`,
 *   `concurrent_change`, `too_many_webhooks`
 */
export async function updateWebhook(
  credential: string | undefined,
  id: WebhookId | undefined,
  parse: () => UpdateWebhookRequest,
  management: WebhookManagement & { readonly urlPolicy: WebhookUrlPolicy },
): Promise<Webhook> {
  const manager = await authenticateManager(credential, management);
  const request = parse();
  if (request.url !== undefined) requireValidUrl(request.url, management.urlPolicy);
  const change = (webhook: Webhook, now: number) => withChanges(webhook, request, now);
  return changeWebhook(id, manager, 'webhook.updated', change, management);
}

function withChanges(
  webhook: Webhook,
  { enabled, ...fields }: UpdateWebhookRequest,
  now: number,
): Webhook {
  const { health, slowUntil, disabled, ...kept } = webhook;
  const isElsewhere = fields.url !== undefined && fields.url !== webhook.url;
  // A receiver that is back, or a new one, is not judged by what was before.
  const startsAnew = enabled === true || isElsewhere;
  const nowDisabled = enabled === false ? (disabled ?? byOwner(now)) : disabled;
  return {
    ...kept,
    ...fields,
    ...(health !== undefined && !startsAnew && { health }),
    ...(slowUntil !== undefined && !startsAnew && { slowUntil }),
    ...(nowDisabled !== undefined && enabled !== true && { disabled: nowDisabled }),
  };
}

const byOwner = (at: number) => ({ reason: 'by_owner', at }) as const;
