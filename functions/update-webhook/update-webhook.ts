import type { RequestTo } from '#shared/endpoints/endpoint';
import type { Webhook } from '#shared/webhooks/webhook';
import { requireOwnTemplates } from '#shared/webhooks/webhook-fields';
import { changeWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import { requireValidUrl, type WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import type { endpoint } from './endpoint.ts';

type UpdateRequest = RequestTo<typeof endpoint>;

/** Changes the given fields of a webhook. */
export async function updateWebhook(
  { caller, path: { id }, body }: UpdateRequest,
  { urlPolicy, ...management }: WebhookManagement & { readonly urlPolicy: WebhookUrlPolicy },
): Promise<Webhook> {
  if (body.url !== undefined) requireValidUrl(body.url, urlPolicy);
  if (body.templates !== undefined) requireOwnTemplates(body.templates, caller.organizationId);
  const change = (webhook: Webhook, now: number) => withChanges(webhook, body, now);
  return changeWebhook(id, caller, 'webhook.updated', change, management);
}

function withChanges(
  webhook: Webhook,
  { enabled, ...fields }: UpdateRequest['body'],
  now: number,
): Webhook {
  const { health, slowUntil, disabled, ...kept } = webhook;
  const isElsewhere = fields.url !== undefined && fields.url !== webhook.url;
  // Past failures don't count against a receiver that is back, or a new one.
  const startsAfresh = enabled === true || isElsewhere;
  const nowDisabled = enabled === false ? (disabled ?? byOwner(now)) : disabled;
  return {
    ...kept,
    ...fields,
    ...(health !== undefined && !startsAfresh && { health }),
    ...(slowUntil !== undefined && !startsAfresh && { slowUntil }),
    ...(nowDisabled !== undefined && enabled !== true && { disabled: nowDisabled }),
  };
}

const byOwner = (at: number) => ({ reason: 'by_owner', at }) as const;
