import { formatOf, inFormat } from '#shared/webhooks/signature-headers';
import type { Answer, Input } from '../../../api.ts';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { capitalized } from '../shared/format.ts';
import { every, type Tone } from '../shared/words.ts';

export type Webhook = Answer<'GET /api/v1/webhooks'>['data'][number];
export type Delivery = Answer<'GET /api/v1/webhooks/{id}/deliveries'>['data'][number];
export type EventType = NonNullable<Input<'POST /api/v1/webhooks'>['body']['eventTypes']>[number];
export type Attempt = Delivery['attempts'][number];

export const eventTypes = every<EventType>()([
  'email.scheduled',
  'email.queued',
  'email.canceled',
  'email.suppressed',
  'email.sent',
  'email.failed',
  'email.delayed',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
  'suppression.added',
  'suppression.removed',
  'identity.active',
  'audit.recorded',
]);

export const deliveryStatuses = every<Delivery['status']>()(['pending', 'delivered', 'failed']);
export const deliveryWords = {
  pending: ['Pending', 'info'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Delivery['status'], readonly [string, Tone]>;

/** A delivery that waits after a failed attempt isn't on its way. */
export const stateOf = (status: Delivery['status'], attempts: number) =>
  status === 'pending' && attempts > 0 ? (['Waiting', 'warn'] as const) : deliveryWords[status];

const failureWords: ReadonlyMap<string, string> = new Map([
  ['attempts_exhausted', 'All attempts failed.'],
  ['endpoint_gone', 'The endpoint answered 410 Gone.'],
  ['endpoint_disabled', 'The endpoint was disabled.'],
  ['endpoint_deleted', 'The endpoint was deleted.'],
  ['event_not_wanted', 'The endpoint doesn’t get the audit anymore.'],
]);

export const failureText = (reason: string): string => failureWords.get(reason) ?? `${reason}.`;

const errorWords: ReadonlyMap<string, string> = new Map([
  ['timeout', 'Timed out'],
  ['econnrefused', 'Connection refused'],
  ['econnreset', 'Connection cut off'],
  ['name_not_resolved', 'Host name not found'],
  ['blocked_address', 'Blocked: a private address'],
  ['tls_error', 'No valid certificate'],
  ['interrupted', 'Interrupted on our side'],
]);

/** A status, or why there's none. */
export function answerText({ statusCode, error = 'no_answer' }: Attempt): string {
  if (statusCode !== undefined) return `${statusCode}`;
  const words = error.replaceAll('_', ' ');
  return errorWords.get(error) ?? capitalized(words);
}

/**
 * The headers of an attempt's request. Without the signature: it isn't stored, and secrets change. It isn't known
 * whether an interrupted attempt was posted.
 */
export function headersOf(
  { at, error }: Attempt,
  { messageId, payload }: Pick<Delivery, 'messageId' | 'payload'>,
): readonly (readonly [name: string, value: string])[] {
  if (error === 'interrupted' || error === 'blocked_address') return [];
  const format = formatOf(payload);
  return [
    ['content-type', 'application/json'],
    [inFormat('webhook-id', format), messageId],
    [inFormat('webhook-timestamp', format), `${Math.floor(at / 1_000)}`],
    [inFormat('webhook-signature', format), 'v1,… (not kept)'],
  ];
}

/** Empty if the payload can't be read. */
function dataOf(payload: string): ReadonlyMap<string, unknown> {
  try {
    const read: unknown = JSON.parse(payload);
    const data =
      typeof read === 'object' && read !== null && 'data' in read ? read.data : undefined;
    return new Map(Object.entries(typeof data === 'object' && data !== null ? data : {}));
  } catch {
    return new Map();
  }
}

type Subject = { readonly words: string; readonly name: string; readonly href: string };

/** Messages in Resend’s form have Resend’s names. */
export function subjectOf({ payload }: Pick<Delivery, 'payload'>): Subject | undefined {
  const data = dataOf(payload);
  const text = (name: string): string => {
    const value = data.get(name);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === 'string' ? first : '';
  };
  const sendId = text('sendId') || text('email_id');
  if (sendId) return { words: 'Open the email', name: text('to'), href: emailPage(sendId) };
  const email = text('email');
  if (email) return { words: 'Open the contact', name: email, href: recipientPage(email) };
  const domain = text('domain');
  return domain ? { words: 'Open Domains', name: domain, href: '/console/domains' } : undefined;
}

/** JSON is indented for people; other text stays unchanged. */
export function indented(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
