import { authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { type GivenLimits, limitsInForce } from '#shared/organizations/organization-limits';
import { newWebhookId } from '#shared/tokens/resource-id';
import { auditedWebhook } from '#shared/webhooks/audited-webhook';
import { tooManyWebhooks } from '#shared/webhooks/change-webhook';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { maxWebhooks, type Webhook } from '#shared/webhooks/webhook';
import type { WebhookManagement } from '#shared/webhooks/webhook-management';
import { requireValidUrl, type WebhookUrlPolicy } from '#shared/webhooks/webhook-url';
import type { CreateWebhookRequest } from './endpoint.ts';

/**
 * Creates a webhook, enabled, with a secret of its own.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `too_many_webhooks`
 */
export async function createWebhook(
  credential: string | undefined,
  parse: () => CreateWebhookRequest,
  management: WebhookManagement & {
    readonly urlPolicy: WebhookUrlPolicy;
    readonly limitsOfDeployment: GivenLimits;
  },
): Promise<Webhook> {
  const { organizationId, actor, ownLimits } = await authenticateManager(credential, management);
  const request = parse();
  requireValidUrl(request.url, management.urlPolicy);
  const now = management.now();
  const webhook: Webhook = {
    ...request,
    id: newWebhookId(organizationId),
    secret: newWebhookSecret(),
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  const change = { action: 'webhook.created', target: webhook.id, after: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, now);
  const most = limitsInForce(ownLimits, management.limitsOfDeployment)('webhooks') ?? maxWebhooks;
  const outcome = await management.webhooks.putNew(webhook, entry, most);
  if (outcome === 'too_many') throw tooManyWebhooks(most);
  return webhook;
}
