import type { Manager } from '#shared/access/admit-caller';
import { differenceOf, newAuditEntry } from '#shared/audit/audit-entry';
import { nothingElse } from '#shared/errors/nothing-else';
import { ServiceError } from '#shared/errors/service-error';
import { tooMany } from '#shared/organizations/limits-in-force';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { digest } from '#shared/tokens/base32';
import { type OrganizationId, ownId, type WebhookId } from '#shared/tokens/resource-id';
import { changeTimeOf, maxWebhooks, type Webhook } from './webhook.ts';
import { getWebhook, replaceWebhook } from './webhook-store.ts';

/** Another organization's webhook gets the same answer as one that never existed. */
export async function findWebhook(
  table: Table,
  id: WebhookId,
  organizationId: OrganizationId,
): Promise<Webhook> {
  const webhookId = ownId(id, organizationId);
  const webhook = webhookId && (await getWebhook(table, webhookId));
  if (webhook === undefined) throw new ServiceError('webhook_not_found');
  return webhook;
}

const maxTries = 2;

/**
 * If another request changes the webhook at the same moment, the change is applied again on top.
 *
 * @param action the audit's name for the change.
 */
export async function changeWebhook(
  id: WebhookId,
  { organizationId, actor }: Manager,
  action: string,
  change: (webhook: Webhook, now: number) => Webhook,
  { table, now: readClock }: TableAndClock,
): Promise<Webhook> {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const before = await findWebhook(table, id, organizationId);
    const now = readClock();
    const after = { ...change(before, now), updatedAt: changeTimeOf(before, now) };
    const difference = differenceOf(auditedWebhook(before), auditedWebhook(after));
    const audited = { action, target: before.id, ...difference };
    const entry = newAuditEntry(organizationId, actor, audited, now);
    const outcome = await replaceWebhook(table, before, after, { entry });
    if (outcome === 'stored') return after;
    if (outcome === 'too_many') throw tooMany('webhooks', maxWebhooks);
  }
  throw new ServiceError('concurrent_change');
}

/** Leaves the secrets out of the audit. */
export function auditedWebhook(webhook: Webhook) {
  const { url, eventTypes, tags, templates, description, format, ...changing } = webhook;
  const { disabled, pausedAt, maxAttempts, previousSecrets, ...unaudited } = changing;
  const { id: _, secret: _secret, createdAt: _created, updatedAt: _updated, ...noted } = unaudited;
  const { health: _health, failingSince: _since, slowUntil: _until, ...rest } = noted;
  nothingElse(rest);
  const ends = previousSecrets.map(({ expiresAt }) => expiresAt);
  return {
    url: auditedUrl(url),
    eventTypes,
    tags: tags.length === 0 ? undefined : tags,
    templates: templates.length === 0 ? undefined : templates,
    description,
    format,
    disabled: disabled?.reason,
    paused: pausedAt === undefined ? undefined : true,
    maxAttempts,
    previousSecretsExpireAt: ends.length === 0 ? undefined : Math.max(...ends),
  };
}

/**
 * The origin only, since path and query may hold a token or an address. A digest shows that they changed, not what they
 * are.
 */
function auditedUrl(text: string): string {
  const url = new URL(text);
  const rest = text.slice(url.origin.length);
  return rest === '' || rest === '/' ? url.origin : `${url.origin}/…${digest(rest, 8)}`;
}
