import type * as z from 'zod/mini';
import type { Caller, Manager } from '#shared/access/admit-caller';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { webhookUrlEnvironment } from '#shared/config/environment';
import { ServiceError } from '#shared/errors/service-error';
import {
  type GivenLimits,
  limitsInForce,
  tooMany,
} from '#shared/organizations/organization-limits';
import type { Table } from '#shared/table/table-client';
import { newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import { newWebhookSecret } from './signature.ts';
import { maxWebhooks, type Webhook } from './webhook.ts';
import { requireFormatFits, requireOwnTemplates } from './webhook-fields.ts';
import {
  auditedWebhook,
  changeWebhook,
  findWebhook,
  type WebhookManagement,
} from './webhook-management.ts';
import { openWebhookStore } from './webhook-store.ts';
import { requireValidUrl, type WebhookUrlPolicy } from './webhook-url.ts';

type WebhookSettings = Pick<Webhook, 'url' | 'eventTypes' | 'tags' | 'templates' | 'description'> &
  FormatSetting;
type FormatSetting = { readonly format?: 'resend' };

export type WebhookCreation = WebhookManagement & {
  readonly urlPolicy: WebhookUrlPolicy;
  readonly limitsOfDeployment: GivenLimits;
};

export const changesWebhook = {
  environment: webhookUrlEnvironment,
  tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
} as const;

export const createsWebhook = {
  ...changesWebhook,
  tableActions: [...changesWebhook.tableActions, 'Query'],
} as const;

/** For the operations that take a URL. */
export const openWebhookChanging = (
  table: Table,
  environment: z.output<typeof webhookUrlEnvironment>,
) => ({
  webhooks: openWebhookStore(table),
  urlPolicy: { allowLoopbackHttp: environment.WEBHOOK_ALLOW_LOOPBACK_HTTP },
});

export async function createWebhook(
  {
    caller: { organizationId, actor, ownLimits },
    body,
  }: {
    readonly caller: Pick<Caller, 'organizationId' | 'actor' | 'ownLimits'>;
    readonly body: WebhookSettings;
  },
  { now: readClock, webhooks, urlPolicy, limitsOfDeployment }: WebhookCreation,
): Promise<Webhook> {
  requireValidUrl(body.url, urlPolicy);
  requireOwnTemplates(body.templates, organizationId);
  requireFormatFits(body);
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

type OfWebhook = { readonly caller: Manager; readonly path: { readonly id: WebhookId } };

type WebhookChanges = Partial<Omit<WebhookSettings, 'format'>> & {
  readonly format?: 'resend' | null;
  readonly enabled?: boolean;
};

export async function updateWebhook(
  { caller, path: { id }, body }: OfWebhook & { readonly body: WebhookChanges },
  { urlPolicy, ...management }: WebhookManagement & { readonly urlPolicy: WebhookUrlPolicy },
): Promise<Webhook> {
  if (body.url !== undefined) requireValidUrl(body.url, urlPolicy);
  if (body.templates !== undefined) requireOwnTemplates(body.templates, caller.organizationId);
  const change = (webhook: Webhook, now: number) => {
    const after = withChanges(webhook, body, now);
    if (body.format !== undefined || body.eventTypes !== undefined) requireFormatFits(after);
    return after;
  };
  return changeWebhook(id, caller, 'webhook.updated', change, management);
}

function withChanges(
  webhook: Webhook,
  { enabled, format: wanted, ...fields }: WebhookChanges,
  now: number,
): Webhook {
  const { health, failingSince, slowUntil, disabled, format: before, ...kept } = webhook;
  const format = wanted === undefined ? before : wanted;
  const isElsewhere = fields.url !== undefined && fields.url !== webhook.url;
  // Past failures don't count against a receiver that is back, or a new one.
  const startsAfresh = enabled === true || isElsewhere;
  const nowDisabled = enabled === false ? (disabled ?? byOwner(now)) : disabled;
  return {
    ...kept,
    ...fields,
    ...(format && { format }),
    ...(health !== undefined && !startsAfresh && { health }),
    ...(failingSince !== undefined && !startsAfresh && { failingSince }),
    ...(slowUntil !== undefined && !startsAfresh && { slowUntil }),
    ...(nowDisabled !== undefined && enabled !== true && { disabled: nowDisabled }),
  };
}

const byOwner = (at: number) => ({ reason: 'by_owner', at }) as const;

/** Pending deliveries fail at their next attempt. */
export async function deleteWebhook(
  { caller: { organizationId, actor }, path: { id } }: OfWebhook,
  { webhooks, now }: WebhookManagement,
): Promise<undefined> {
  const webhook = await findWebhook(id, organizationId, webhooks);
  const change = { action: 'webhook.deleted', target: id, before: auditedWebhook(webhook) };
  const entry = newAuditEntry(organizationId, actor, change, now());
  const outcome = await webhooks.delete(id, entry);
  if (outcome === 'unknown') throw new ServiceError('webhook_not_found');
}
