import * as z from 'zod/mini';
import { boundedList } from '#shared/errors/bounded';
import { ServiceError } from '#shared/errors/service-error';
import { given } from '#shared/http/given-fields';
import {
  isResendEvent,
  type ResendEventType,
  resendEventNames,
  type WebhookEventType,
  webhookEventTypes,
} from '#shared/organizations/webhook-subscriptions';
import type { Table } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { type OrganizationId, type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import type { Webhook } from '#shared/webhooks/webhook';
import { webhookFields } from '#shared/webhooks/webhook-fields';
import { findWebhook } from '#shared/webhooks/webhook-management';
import { exampleSecret } from '#shared/webhooks/webhook-reference';
import { resendList } from './list-page.ts';
import { resendTime, resendTimeSchema } from './management.ts';

const ourTypes = webhookEventTypes.filter(isResendEvent);
const nameOf = (type: ResendEventType) => resendEventNames[type];
const eventName = z.enum(ourTypes.map(nameOf));
const typeOf = (name: string): WebhookEventType[] =>
  ourTypes.filter((type) => nameOf(type) === name);

const events = boundedList(eventName, 100, 1);

export const resendWebhookSchema = z.strictObject({ endpoint: webhookFields.url, events });

export const resendWebhookChangeSchema = z.strictObject({
  endpoint: given(webhookFields.url),
  events: given(events),
  status: given(z.enum(['enabled', 'disabled'])),
});

/** The new webhook gets messages in Resend's form. */
export const toNewWebhook = ({
  endpoint,
  events: names,
}: z.output<typeof resendWebhookSchema>) => ({
  url: endpoint,
  eventTypes: [...new Set(names.flatMap(typeOf))],
  tags: [],
  templates: [],
  description: '',
  format: 'resend' as const,
});

export const toWebhookChanges = ({
  endpoint,
  events: names,
  status,
}: z.output<typeof resendWebhookChangeSchema>) => ({
  ...(endpoint != null && { url: endpoint }),
  ...(names != null && { eventTypes: [...new Set(names.flatMap(typeOf))] }),
  ...(status != null && { enabled: status === 'enabled' }),
});

/** Resend has no names for the other webhooks' messages. */
export const isInResendForm = ({ format }: Pick<Webhook, 'format'>): boolean => format === 'resend';

export async function findResendWebhook(
  table: Table,
  id: WebhookId,
  organizationId: OrganizationId,
): Promise<Webhook> {
  const webhook = await findWebhook(table, id, organizationId);
  if (!isInResendForm(webhook)) throw new ServiceError('webhook_not_found');
  return webhook;
}

export const resendListedWebhookSchema = z.object({
  id: webhookIdSchema,
  endpoint: z.string(),
  events: z.array(eventName),
  status: z.enum(['enabled', 'disabled']),
  created_at: resendTimeSchema,
});

export const resendWebhookViewSchema = z.object({
  object: z.literal('webhook'),
  ...resendListedWebhookSchema.shape,
  signing_secret: z.string(),
});

export const resendWebhookIdSchema = z.object({
  object: z.literal('webhook'),
  id: webhookIdSchema,
});
export const resendNewWebhookSchema = z.extend(resendWebhookIdSchema, {
  signing_secret: z.string(),
});

export const toListedResendWebhook = ({ id, url, eventTypes, disabled, createdAt }: Webhook) => ({
  id,
  endpoint: url,
  events: (eventTypes.length === 0 ? ourTypes : eventTypes.filter(isResendEvent)).map(nameOf),
  status: disabled === undefined ? ('enabled' as const) : ('disabled' as const),
  created_at: resendTime(createdAt),
});

export const toResendWebhook = (webhook: Webhook) => ({
  object: 'webhook' as const,
  ...toListedResendWebhook(webhook),
  signing_secret: webhook.secret,
});

export const resendWebhookWords = {
  id: 'The ID of the webhook endpoint.',
  endpoint:
    'An `https://` URL with port 443 or any from 1024 up, without credentials or a fragment, and not on a private network.',
  events: 'The events that it gets, by Resend’s names.',
  status: '`enabled` or `disabled`. What failed for days is disabled by the service.',
  signing_secret: 'The secret that its messages are signed with.',
} as const;

const exampleListed = {
  id: exampleIds.webhook,
  endpoint: 'https://example.com/hooks/email',
  events: ['email.bounced', 'email.complained'],
  status: 'enabled',
  created_at: resendTime(exampleTime),
} as const;

export const exampleResendWebhooks = resendList([exampleListed], false);

export const exampleResendWebhookId = { object: 'webhook', id: exampleIds.webhook } as const;

export const exampleNewResendWebhook = {
  ...exampleResendWebhookId,
  signing_secret: exampleSecret,
} as const;

export const exampleResendWebhook = { ...exampleNewResendWebhook, ...exampleListed } as const;
