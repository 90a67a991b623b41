import { newAuditEntry } from '#shared/audit/audit-entry';
import type { RequestTo } from '#shared/endpoints/endpoint';
import {
  type GivenLimits,
  limitsInForce,
  tooMany,
} from '#shared/organizations/organization-limits';
import { newWebhookId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { maxWebhooks, type Webhook } from '#shared/webhooks/webhook';
import { requireOwnTemplates } from '#shared/webhooks/webhook-fields';
import { auditedWebhook, type WebhookManagement } from '#shared/webhooks/webhook-management';
import { requireValidUrl, type WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import type { endpoint } from './endpoint.ts';

export type WebhookCreation = WebhookManagement & {
  readonly urlPolicy: WebhookUrlPolicy;
  readonly limitsOfDeployment: GivenLimits;
};

/** Creates a webhook, enabled, with a secret of its own. */
export async function createWebhook(
  { caller: { organizationId, actor, ownLimits }, body }: RequestTo<typeof endpoint>,
  { now: readClock, webhooks, urlPolicy, limitsOfDeployment }: WebhookCreation,
): Promise<Webhook> {
  requireValidUrl(body.url, urlPolicy);
  requireOwnTemplates(body.templates, organizationId);
  const now = readClock();
  const webhook: Webhook = {
    ...body,
    id: newWebhookId(organizationId),
    secret: newWebhookSecret(),
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  const change = { action: 'webhook.created', target: webhook.id, after: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, now);
  const most = limitsInForce(ownLimits, limitsOfDeployment)('webhooks') ?? maxWebhooks;
  const outcome = await webhooks.putNew(webhook, entry, most);
  if (outcome === 'too_many') throw tooMany('webhooks', most);
  return webhook;
}
