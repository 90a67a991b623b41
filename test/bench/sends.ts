import * as z from 'zod';
import { createApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import type { Table } from '#shared/table/table-client';
import { keyringReader } from '#shared/tokens/keyring-reader';
import {
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  type SendId,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { signOpenToken } from '#shared/tracking/tracking-token';
import type { Webhook } from '#shared/webhooks/webhook';
import { secretIds } from '../../infra/local/environment.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { buildSesEvent, buildSesMail, type SesEventType } from '../support/ses-event-builder.ts';

/** A small email as a shop sends it, text and HTML. */
export const sampleEmail = {
  to: 'ann@example.com',
  subject: 'Your receipt for order 10492',
  content: [
    'Hello Ann,',
    '',
    'thank you for your order. You paid EUR 42.00 by card; the parcel leaves today.',
    'Follow it here: https://shop.example.com/orders/10492',
    '',
    'Your example shop',
  ].join('\n'),
  htmlContent: [
    '<!doctype html><html><body style="font-family:sans-serif">',
    '<h1>Thank you, Ann</h1>',
    '<p>You paid <strong>EUR 42.00</strong> by card; the parcel leaves today.</p>',
    '<p><a href="https://shop.example.com/orders/10492">Follow it</a>, or',
    ' <a href="https://shop.example.com/help">ask us</a> anything about it.</p>',
    '<p>Your example shop</p>',
    '</body></html>',
  ].join('\n'),
} as const;

/** An email of the usual size: a subject of 60 characters, addresses of 30. */
export const typicalEmail = {
  ...sampleEmail,
  to: 'anna.lovelace@mail.example.com',
  subject: 'Your receipt for order 10492, and when its parcel will come.',
} as const;

export const typicalSender = 'orders@notify.shop-example.com';

type Settings = {
  readonly perMinuteCap?: number;
  readonly dailyCap?: number;
  /** What an endpoint wants to hear of; without, there is no endpoint. */
  readonly eventTypes?: Webhook['eventTypes'];
};

type TypicalOrganization = {
  readonly id: OrganizationId;
  /** Without scopes: it sends. */
  readonly sendKey: string;
  readonly readKey: string;
};

/** Stores an organization that sends from a typical address. */
export async function putTypicalOrganization(
  table: Table,
  { perMinuteCap, dailyCap, eventTypes }: Settings = {},
): Promise<TypicalOrganization> {
  const id = newOrganizationId();
  const organization = buildOrganization({
    id,
    identity: { domain: 'notify.shop-example.com', fromEmail: typicalSender, status: 'active' },
    webhooks: eventTypes === undefined ? {} : { [newWebhookId(id)]: { eventTypes } },
    // A timeline read by the id alone is measured, too.
    keylessReading: true,
  });
  const createdAt = Date.now();
  const cap = {
    ...(perMinuteCap !== undefined && { perMinuteCap }),
    ...(dailyCap !== undefined && { dailyCap }),
  };
  const send = createApiKey(id, { name: 'send', scopes: [], ...cap, createdAt });
  const read = createApiKey(id, { name: 'read', scopes: ['read_sends'], createdAt });
  await putOrganization(table, organization);
  // In daily use: their last use was noted within the hour.
  for (const { apiKey } of [send, read]) {
    await putApiKey(table, { ...apiKey, lastUsedAt: createdAt });
  }
  return { id, sendKey: send.text, readKey: read.text };
}

const answerSchema = z.object({ sendId: sendIdSchema, messageId: z.string() });

type Options = { readonly email?: object; readonly idempotencyKey?: string };

/** Makes one send. @throws Error when SES does not get the email. */
export const postSend = async (
  baseUrl: string,
  apiKey: string,
  options: Options,
): Promise<z.output<typeof answerSchema>> =>
  answerSchema.parse(await postEmail(baseUrl, apiKey, options));

/** Posts one email, which may be suppressed. @throws Error when the answer is no success. */
export async function postEmail(
  baseUrl: string,
  apiKey: string,
  { email = sampleEmail, idempotencyKey }: Options,
): Promise<unknown> {
  const response = await fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(email),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`A send was answered ${response.status}: ${answer}`);
  return JSON.parse(answer);
}

/** A send that was made, and the message that SES accepted for it. */
type Sent = { readonly sendId: SendId; readonly messageId: string };

/** Has the twin of this process record an event of the send's message, as one of this moment: usage is by time. */
export function reportEvent(baseUrl: string, type: SesEventType, sent: Sent): Promise<void> {
  const timestamp = new Date().toISOString();
  const delivery = { timestamp, processingTimeMillis: 1_322, recipients: [typicalEmail.to] };
  return postEvent(
    baseUrl,
    buildSesEvent(type, {
      mail: { ...mailOf(sent), timestamp },
      ...(type === 'Delivery' && { delivery }),
    }),
  );
}

/** Has it record that the message bounced for good. */
export function reportBounce(baseUrl: string, sent: Sent, emailAddress: string): Promise<void> {
  const bounce = {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress }],
    timestamp: new Date().toISOString(),
  };
  const mail = { ...mailOf(sent), destination: [emailAddress] };
  return postEvent(baseUrl, buildSesEvent('Bounce', { mail, bounce }));
}

const mailOf = ({ sendId, messageId }: Sent) =>
  buildSesMail({
    messageId,
    destination: [typicalEmail.to],
    tags: { 'feedback-id': [feedbackIdOf(sendId)] },
  });

const postEvent = (baseUrl: string, event: object): Promise<void> =>
  expectOk(
    fetch(`${baseUrl}/_local/provider-events`, { method: 'POST', body: JSON.stringify(event) }),
  );

/** Fetches the pixel of the send's email from the twin of this process, as a person's mail client does. */
export async function openEmail(baseUrl: string, { sendId }: Sent): Promise<void> {
  const keyring = await keyringReader(secretIds.tokenSigningKey)();
  const token = signOpenToken(keyring, feedbackIdOf(sendId));
  const headers = { 'user-agent': 'Mozilla/5.0 Firefox/130.0' };
  await expectOk(fetch(`${baseUrl}/t/o/${token}`, { headers }));
}

async function expectOk(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
}
