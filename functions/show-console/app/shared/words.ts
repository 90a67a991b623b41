import type { Api } from '../api-types.ts';

export type Send = Api['GET /api/v1/sends']['answer']['data'][number];
export type SendStatus = Send['status'];
export type Suppression = Api['GET /api/v1/suppressions']['answer']['data'][number];
export type SuppressionReason = Suppression['reason'];
export type ApiKey = Api['GET /api/v1/api-keys']['answer']['data'][number];
export type Scope = ApiKey['scopes'][number];
export type Webhook = Api['GET /api/v1/webhooks']['answer']['data'][number];
export type Delivery = Api['GET /api/v1/webhooks/{id}/deliveries']['answer']['data'][number];
export type Identity = Api['GET /api/v1/organization/identity']['answer'];
export type Overview = Api['GET /api/v1/overview']['answer'];
export type Usage = Api['GET /api/v1/usage']['answer'];
export type Day = NonNullable<Usage['days']>[number];
export type EmailStory = Api['GET /api/v1/sends/{id}']['answer'];
export type EmailEvent = EmailStory['events'][number];

/** A list that names every one of a kind: what the API adds to it must not be forgotten here. */
const every =
  <Kind>() =>
  <const List extends readonly Kind[]>(
    list: List & ([Exclude<Kind, List[number]>] extends [never] ? unknown : never),
  ): List =>
    list;

export type Tone = 'good' | 'bad' | 'warn' | 'quiet';

export const sendStatuses = every<SendStatus>()(['sent', 'sending', 'suppressed', 'failed']);
/** “Sent” is no good news yet: Amazon SES took it, and what became of it stands in its timeline. */
export const sendWords = {
  sent: ['Sent', 'quiet'],
  sending: ['Sending', 'quiet'],
  suppressed: ['Suppressed', 'warn'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<SendStatus, readonly [string, Tone]>;

export const suppressionReasons = every<SuppressionReason>()([
  'bounce',
  'complaint',
  'manual',
  'unsubscribe',
]);
export const reasonWords: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'Bounced for good',
  complaint: 'Marked an email as spam',
  manual: 'Blocked by your team',
  unsubscribe: 'Unsubscribed',
};

export const suppressionWords = ({
  reason,
  possible,
}: Pick<Suppression, 'reason' | 'possible'>): string =>
  possible ? 'May have marked an email as spam' : reasonWords[reason];

export const reasonText = (reason: string): string => {
  const known = suppressionReasons.find((one) => one === reason);
  return known ? reasonWords[known] : reason;
};

export const scopes = every<Scope>()([
  'send_email',
  'read_sends',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
]);
/** All that a key may be given, and what that means. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  send_email: 'Send emails',
  read_sends: 'Read emails and what became of them',
  preferences_read: 'Read what people have subscribed to',
  preferences_manage: 'Change what people have subscribed to',
  templates_manage: 'Make, change and delete templates',
  manage_organization: 'Manage everything, and sign in here. Give it to people, not to programs',
};

export const webhookEvents = every<Webhook['eventTypes'][number]>()([
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.complained',
  'email.opened',
  'email.clicked',
  'contact.unsubscribed',
  'contact.preferences_updated',
  'identity.active',
]);

export const deliveryStatuses = every<Delivery['status']>()(['pending', 'delivered', 'failed']);
export const deliveryWords = {
  pending: ['Waiting', 'quiet'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Delivery['status'], readonly [string, Tone]>;
