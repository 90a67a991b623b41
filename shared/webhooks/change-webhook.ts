import type { Manager } from '#shared/access/authenticate';
import { differenceOf, newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import { tooMany } from '#shared/organizations/organization-limits';
import type { WebhookId } from '#shared/tokens/resource-id';
import { auditedWebhook } from './audited-webhook.ts';
import { findWebhook } from './find-webhook.ts';
import { changeTimeOf, maxWebhooks, type Webhook } from './webhook.ts';
import type { WebhookManagement } from './webhook-management.ts';

const maxTries = 2;

/**
 * Changes a webhook of the organization. If another request changes it at the same moment, the change is made once
 * more, to the version that the other request left.
 *
 * @param action how the audit names the change.
 * @throws ServiceError `webhook_not_found`, `concurrent_change`, `too_many_webhooks`
 */
export async function changeWebhook(
  id: WebhookId,
  { organizationId, actor }: Manager,
  action: string,
  change: (webhook: Webhook, now: number) => Webhook,
  { now: readClock, webhooks }: WebhookManagement,
): Promise<Webhook> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findWebhook(id, organizationId, webhooks);
    const now = readClock();
    const after = { ...change(before, now), updatedAt: changeTimeOf(before, now) };
    const difference = differenceOf(auditedWebhook(before), auditedWebhook(after));
    const audited = { action, target: before.id, ...difference };
    const entry = newAuditEntry(organizationId, actor, audited, now);
    const outcome = await webhooks.replace(before, after, { entry });
    if (outcome === 'stored') return after;
    if (outcome === 'too_many') throw tooMany('webhooks', maxWebhooks);
  }
  throw new ServiceError('concurrent_change');
}
