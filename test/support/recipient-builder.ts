import { ensureContact } from '#shared/contacts/contact-store';
import { upsertEvent } from '#shared/events/event-store';
import { storePreferences } from '#shared/preferences/contact-outbox';
import type { Acceptance, Send } from '#shared/sending/send';
import { commitAcceptance } from '#shared/sending/send-store';
import { sentEventOf, webhookEventOf } from '#shared/sending/send-webhook-event';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import type { Table } from '#shared/table/table-client';
import {
  contactIdOf,
  newNonce,
  newWebhookId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { clickOf, openOf } from '#shared/tracking/engagement';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import type { WebhookEvent } from '#shared/webhook-deliveries/webhook-event';
import { buildClaim, claimNow, claimSend } from './claim-builder.ts';
import { buildContact } from './contact-builder.ts';
import { farExpiry } from './delivery-builder.ts';
import { storeHit } from './stored-hit.ts';

/** The person whom all of this is about. */
export const ann = 'ann@example.com';

/** When all of it is over: no attempt is under way any more. */
export const erasedAt = claimNow + 3_600_000;

/** Of a message with an id of its own. */
export const buildAcceptance = (): Acceptance => ({
  providerMessageId: `message-${newNonce()}`,
  at: claimNow + 500,
});

/** A claim of an email to Ann that names her wherever it can. */
export const buildEmail = (organizationId: OrganizationId, overrides: Partial<Send> = {}): Send =>
  buildClaim({
    organizationId,
    idempotencyKey: `receipt-${newNonce()}-${ann}`,
    toEmail: 'Ann@example.com',
    cc: ['ben@example.org', ann],
    bcc: ['ANN@example.com', 'cleo@example.org'],
    suppressedRecipients: [{ email: 'aNN@example.com', reason: 'bounce' }],
    subject: `Your receipt, ${ann}`,
    replyTo: [`Ann <${ann}>`],
    headers: { 'X-For': ann },
    metadata: { customer: { email: ann } },
    moreTo: ['dan@example.org', ann],
    ...overrides,
  });

/** What an endpoint of the organization gets about something that happened to the send. */
export function deliveriesAbout(send: Send, event: WebhookEvent): Delivery[] {
  const owner = { parent: send.feedbackId, expiresAt: send.expiresAt };
  const endpoint = newWebhookId(organizationIdOf(send.id));
  return deliveriesOf(event, owner, { [endpoint]: { eventTypes: [] } }, event.at);
}

/** Stores an email to Ann that went out, and all that a send can own. */
export async function storeEmail(
  table: Table,
  organizationId: OrganizationId,
  overrides: Partial<Send> = {},
): Promise<Send> {
  const claim = buildEmail(organizationId, overrides);
  await claimSend(table, claim);
  const { send } = await accept(table, claim);
  await accept(table, send);

  const { feedbackId, expiresAt } = send;
  const { providerMessageId, at: ts } = buildAcceptance();
  const bounced = { type: 'bounced', ts, providerMessageId, reason: `No ${ann} here` } as const;
  await createDeliveries(table, deliveriesAbout(send, webhookEventOf(send, bounced)));
  await upsertEvent(table, feedbackId, bounced, expiresAt);
  const recipients = [{ email: 'aNN@example.com', diagnostic: `smtp; 550 no ${ann} here` }];
  await upsertEvent(table, feedbackId, { ...bounced, type: 'complained', recipients }, expiresAt);
  const hit = { at: ts, isMachine: false };
  const destination = `https://example.com/people/${ann}/receipts?for=${ann}`;
  await storeHit(table, openOf(feedbackId), hit, expiresAt);
  await storeHit(table, clickOf({ feedbackId, destination }), hit, expiresAt);
  return send;
}

async function accept(table: Table, send: Send) {
  const acceptance = buildAcceptance();
  return commitAcceptance(
    table,
    send,
    acceptance,
    deliveriesAbout(send, sentEventOf(send, acceptance)),
  );
}

/** Stores Ann's contact: bounced, with a preference that an endpoint got. */
export async function storeContact(table: Table, organizationId: OrganizationId): Promise<void> {
  const id = contactIdOf(organizationId, ann);
  const seen = buildContact({ id, email: ann });
  await ensureContact(table, organizationId, ann, claimNow);
  await suppressAddress(table, organizationId, { identity: ann, reason: 'bounce' }, claimNow);
  const endpoint = newWebhookId(organizationId);
  const deliveries = [claimNow, claimNow + 1].flatMap((at) => {
    const type = 'contact.preferences_updated';
    const event = { type, key: newNonce(), at, data: { contactId: id, email: ann } } as const;
    const owner = { parent: id, expiresAt: farExpiry };
    return deliveriesOf(event, owner, { [endpoint]: { eventTypes: [] } }, at);
  });
  const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
  await storePreferences(table, seen, update, deliveries, claimNow);
}
