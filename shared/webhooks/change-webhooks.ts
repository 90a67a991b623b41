import type { Caller, Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import { type GivenLimits, limitsInForce, tooMany } from '#shared/organizations/limits-in-force';
import { type PublicUrlPolicy, requireValidUrl } from '#shared/outbound/public-url';
import type { TableAndClock } from '#shared/table/table-client';
import { newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from './signature.ts';
import { maxWebhooks, type Webhook } from './webhook.ts';
import { requireFormatFits, requireMayReadAudit, requireOwnTemplates } from './webhook-fields.ts';
import { auditedWebhook, changeWebhook, findWebhook } from './webhook-management.ts';
import { createWebhook, deleteWebhook, listWebhooks } from './webhook-store.ts';

type WebhookSettings = Pick<Webhook, 'url' | 'eventTypes' | 'tags' | 'templates' | 'description'> &
  OptionalSettings;
type OptionalSettings = { readonly format?: 'resend'; readonly maxAttempts?: number };

type UrlChecking = { readonly urlPolicy: PublicUrlPolicy };

export async function registerWebhook(
  {
    caller,
    body,
  }: {
    readonly caller: Pick<Caller, 'organizationId' | 'actor' | 'apiKey' | 'ownLimits'>;
    readonly body: WebhookSettings;
  },
  {
    table,
    now: readClock,
    urlPolicy,
    limitsOfDeployment,
  }: TableAndClock & UrlChecking & { readonly limitsOfDeployment: GivenLimits },
): Promise<Webhook> {
  const { organizationId, actor, ownLimits } = caller;
  requireMayReadAudit(caller, body);
  requireValidUrl(body.url, urlPolicy);
  requireOwnTemplates(body.templates, organizationId);
  requireFormatFits(body);
  const most = limitsInForce(ownLimits, limitsOfDeployment)('webhooks') ?? maxWebhooks;
  const existing = await listWebhooks(table, organizationId);
  if (existing.length >= most) throw tooMany('webhooks', most);
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
  const outcome = await createWebhook(table, webhook, entry);
  if (outcome === 'too_many') throw tooMany('webhooks', most);
  return webhook;
}

type OfWebhook = {
  readonly caller: Manager & Pick<Caller, 'apiKey'>;
  readonly path: { readonly id: WebhookId };
};

type WebhookChanges = Partial<Omit<WebhookSettings, keyof OptionalSettings>> & {
  readonly format?: 'resend' | null;
  readonly maxAttempts?: number | null;
  readonly enabled?: boolean;
  readonly paused?: boolean;
};

export async function updateWebhook(
  { caller, path: { id }, body }: OfWebhook & { readonly body: WebhookChanges },
  { urlPolicy, ...changing }: TableAndClock & UrlChecking,
): Promise<Webhook> {
  if (body.url !== undefined) requireValidUrl(body.url, urlPolicy);
  if (body.templates !== undefined) requireOwnTemplates(body.templates, caller.organizationId);
  const change = (webhook: Webhook, now: number) => {
    const after = withChanges(webhook, body, now);
    if (body.url !== undefined || body.eventTypes !== undefined || body.enabled === true) {
      requireMayReadAudit(caller, after);
    }
    if (body.format !== undefined || body.eventTypes !== undefined) requireFormatFits(after);
    return after;
  };
  return changeWebhook(id, caller, 'webhook.updated', change, changing);
}

function withChanges(
  webhook: Webhook,
  { enabled, paused, format: asked, maxAttempts: askedAttempts, ...fields }: WebhookChanges,
  now: number,
): Webhook {
  const { health, failingSince, slowUntil, disabled, ...others } = webhook;
  const { format: before, maxAttempts: attemptsBefore, pausedAt: pausedBefore, ...kept } = others;
  const format = asked === undefined ? before : asked;
  const maxAttempts = askedAttempts === undefined ? attemptsBefore : askedAttempts;
  const pausedAt = paused === undefined ? pausedBefore : paused ? (pausedBefore ?? now) : undefined;
  const isElsewhere = fields.url !== undefined && fields.url !== webhook.url;
  // Past failures don't count against a receiver that is back, or a new one.
  const startsAfresh = enabled === true || isElsewhere;
  const nowDisabled = enabled === false ? (disabled ?? byOwner(now)) : disabled;
  return {
    ...kept,
    ...fields,
    ...(format && { format }),
    ...(maxAttempts != null && { maxAttempts }),
    ...(pausedAt !== undefined && { pausedAt }),
    ...(health !== undefined && !startsAfresh && { health }),
    ...(failingSince !== undefined && !startsAfresh && { failingSince }),
    ...(slowUntil !== undefined && !startsAfresh && { slowUntil }),
    ...(nowDisabled !== undefined && enabled !== true && { disabled: nowDisabled }),
  };
}

const byOwner = (at: number) => ({ reason: 'by_owner', at }) as const;

/** Pending deliveries fail at their next attempt. */
export async function removeWebhook(
  { caller: { organizationId, actor }, path: { id } }: OfWebhook,
  { table, now }: TableAndClock,
): Promise<undefined> {
  const webhook = await findWebhook(table, id, organizationId);
  const change = { action: 'webhook.deleted', target: id, before: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await deleteWebhook(table, id, entry);
  if (outcome === 'unknown') throw new ServiceError('webhook_not_found');
}
