import * as z from 'zod/mini';
import { auditEntrySchema } from '#shared/audit/audit-entry';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { type EventRecipient, eventSchema } from '#shared/events/event';
import { subscriptionSchema } from '#shared/preferences/preferences';
import { eventsAbout, explainFor, outcomeFor } from '#shared/send-history/explain-send';
import { outcomes } from '#shared/send-history/outcome';
import { sendViewSchema, toSendView } from '#shared/send-history/send-view';
import { identityOf } from '#shared/send-history/shown-recipients';
import type { Timeline } from '#shared/send-history/timeline-store';
import { verdictSchema } from '#shared/send-history/verdict';
import { type Send, sendStatuses } from '#shared/sending/send';
import { exampleSuppression } from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { contactIdSchema, sendIdSchema } from '#shared/tokens/resource-id';
import { type Delivery, deliveryStatuses } from '#shared/webhook-deliveries/delivery';

const deliverySchema = z.object({
  endpointId: z.string(),
  type: z.string(),
  status: z.enum(deliveryStatuses),
  createdAt: z.int(),
});

const recipientFields = ['to', 'cc', 'bcc'] as const;

/** Without the other recipients: who asks for their own data has no right to somebody else's. */
const emailSchema = z.object({
  sendId: sendIdSchema,
  field: z.enum(recipientFields),
  status: z.enum(sendStatuses),
  outcome: z.enum(outcomes),
  verdict: verdictSchema,
  ...z.pick(sendViewSchema, {
    fromEmail: true,
    fromName: true,
    subject: true,
    policyKey: true,
    templateId: true,
    templateVersion: true,
    tags: true,
    metadata: true,
    headers: true,
    attachmentCount: true,
    test: true,
    sendAt: true,
    createdAt: true,
  }).shape,
  events: z.array(eventSchema),
  webhooks: z.array(deliverySchema),
});

/** Without who made it: a colleague's name is no data of this person. */
const changeSchema = z.pick(auditEntrySchema, {
  at: true,
  action: true,
  before: true,
  after: true,
});

export const exportedRecordSchema = z.object({
  kind: z.enum(['contact', 'suppression', 'email', 'webhook', 'change']),
  contact: z.optional(
    z.object({
      id: contactIdSchema,
      email: z.string(),
      subscriptions: z.array(subscriptionSchema),
      createdAt: z.int(),
      updatedAt: z.int(),
    }),
  ),
  suppression: z.optional(suppressionViewSchema),
  email: z.optional(emailSchema),
  webhook: z.optional(deliverySchema),
  change: z.optional(changeSchema),
});
export type ExportedRecord = z.input<typeof exportedRecordSchema>;

export const exampleRecord = { kind: 'suppression', suppression: exampleSuppression } as const;

export const toExportedDelivery = ({ webhookId, type, status, createdAt }: Delivery) => ({
  endpointId: webhookId,
  type,
  status,
  createdAt,
});

export function toExportedEmail(
  { send, events, deliveries }: Timeline,
  identity: string,
  now: number,
) {
  const history = { send, events: eventsAbout(events, send, identity), identity };
  return {
    ...toSendView(send, now),
    sendId: send.id,
    field: fieldOf(send, identity),
    outcome: outcomeFor(history, now),
    verdict: explainFor(history, now),
    events: history.events.map(({ recipients, ...event }) => ({
      ...event,
      ...(recipients && { recipients: recipients.filter(isOf(identity)) }),
    })),
    webhooks: deliveries.map(toExportedDelivery),
  };
}

function fieldOf({ cc, bcc }: Send, identity: string): (typeof recipientFields)[number] {
  const isNamedIn = (addresses: readonly string[]) =>
    addresses.some((address) => recipientIdentityOf(address) === identity);
  if (isNamedIn(cc)) return 'cc';
  return isNamedIn(bcc) ? 'bcc' : 'to';
}

/** An unknown address may be another recipient's, as mail gets forwarded. */
const isOf =
  (identity: string) =>
  ({ email }: EventRecipient): boolean =>
    identityOf(email) === identity;
