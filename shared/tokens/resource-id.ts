import * as z from 'zod/mini';
import { base32Number, digest, numberOfBase32, randomBase32 } from './base32.ts';
import { hasDigestKey, keyedDigest } from './contact-digest.ts';

/**
 * Ids are `<kind>_<organization><own part>`, lower-case base32 (RFC 4648 §6 without padding), so
 * they are safe in a URL, an SES message tag and a header. The organization's part is 16
 * characters, 80 bits; the own part differs by kind. Because an id names its organization, it leads to its
 * partition without a lookup index. `slotIdOf` makes the slot of a send from its idempotency key.
 */
const organizationPart = '[a-z2-7]{16}';
const ownPart = '[a-z2-7]{16}';
const ownLength = 16;
/** 120 bits: two idempotency keys of one organization never share a slot by accident. */
const slotPart = '[a-z2-7]{24}';
const slotLength = 24;

const idOf = (kind: string, parts = organizationPart + ownPart) =>
  z.string().check(
    z.regex(new RegExp(`^${kind}_${parts}$`), {
      error: `must be an id copied whole from the API: ${kind}_ and all that follows it`,
    }),
  );

export const organizationIdSchema = idOf('org', organizationPart).brand<'OrganizationId'>();
export type OrganizationId = z.infer<typeof organizationIdSchema>;

export const slotIdSchema = idOf('slt', organizationPart + slotPart).brand<'SlotId'>();
/** Names the partition of a send. The idempotency key leads to it, and so does every id of the send. */
export type SlotId = z.infer<typeof slotIdSchema>;

export const sendIdSchema = idOf('snd', organizationPart + slotPart + ownPart).brand<'SendId'>();
/**
 * The slot and a random nonce. It is unguessable even for who knows the idempotency key: whoever holds it
 * may read a send that was made with a key without scopes.
 */
export type SendId = z.infer<typeof sendIdSchema>;

export const feedbackIdSchema = idOf(
  'fbk',
  organizationPart + slotPart + ownPart,
).brand<'FeedbackId'>();
/** Names a send to SES and on the wire. It travels in mail headers, so it does not reveal the send id. */
export type FeedbackId = z.infer<typeof feedbackIdSchema>;
/** The message tag that leads every SES event back to its send. */
export const feedbackIdTag = 'feedback-id';

export const apiKeyIdSchema = idOf('key').brand<'ApiKeyId'>();
export type ApiKeyId = z.infer<typeof apiKeyIdSchema>;

export const contactIdSchema = idOf('con').brand<'ContactId'>();
export type ContactId = z.infer<typeof contactIdSchema>;

export const webhookIdSchema = idOf('whk').brand<'WebhookId'>();
export type WebhookId = z.infer<typeof webhookIdSchema>;

export const webhookMessageIdSchema = idOf('msg').brand<'WebhookMessageId'>();
/** What receivers deduplicate on (`webhook-id`): the same for every delivery of one event. */
export type WebhookMessageId = z.infer<typeof webhookMessageIdSchema>;

export const deliveryIdSchema = idOf(
  'dlv',
  `${organizationPart}(?:s${slotPart}|[cw])${ownPart}${ownPart}`,
).brand<'DeliveryId'>();
/** Names the send, the contact or, of a test, the endpoint whose partition the delivery stands in. */
export type DeliveryId = z.infer<typeof deliveryIdSchema>;

export const templateIdSchema = idOf('tpl').brand<'TemplateId'>();
export type TemplateId = z.infer<typeof templateIdSchema>;

export const uploadIdSchema = idOf(
  'upl',
  `${organizationPart}${ownPart}[a-z2-7]{6}`,
).brand<'UploadId'>();
/** Names an uploaded attachment and, in its last six characters, how many bytes it must have. */
export type UploadId = z.infer<typeof uploadIdSchema>;

export const sessionIdSchema = idOf('ses').brand<'SessionId'>();
/** Names a session of the console. It is no secret: nobody is admitted by it. */
export type SessionId = z.infer<typeof sessionIdSchema>;

export const auditEntryIdSchema = idOf('aud').brand<'AuditEntryId'>();
/** Names one change of an organization. */
export type AuditEntryId = z.infer<typeof auditEntryIdSchema>;

/**
 * A new organization id: 80 random bits, or, where the deployment has a key for digests of addresses, 60 and the mark
 * that says so.
 */
export function newOrganizationId(): OrganizationId {
  const random = randomBase32();
  const unmarked = random.slice(0, -markLength);
  const part = hasDigestKey() ? unmarked + keyedMarkOf(unmarked) : random;
  const id = organizationIdSchema.parse(`org_${part}`);
  return hasKeyedContacts(id) === hasDigestKey() ? id : newOrganizationId();
}

const markLength = 4;

const keyedMarkOf = (unmarked: string): string =>
  digest(`keyed contacts ${unmarked}`, 8).slice(0, markLength);

/**
 * Whether the ids of the organization's contacts are keyed digests. Its own id says so, as whoever writes a suppression
 * has no more than that. Organizations from before 2026-11-23 have no mark, but for one in a million by chance:
 * `requireSameDigest` tells.
 */
export function hasKeyedContacts(organizationId: OrganizationId): boolean {
  const part = partOf(organizationId);
  return part.slice(-markLength) === keyedMarkOf(part.slice(0, -markLength));
}

/** The slot of an idempotency key. Without a key, a slot of 120 random bits. */
export const slotIdOf = (
  organizationId: OrganizationId,
  idempotencyKey: string | undefined,
): SlotId => {
  const own =
    idempotencyKey === undefined
      ? randomBase32(slotLength)
      : digest(`${organizationId} ${idempotencyKey}`, slotLength);
  return slotIdSchema.parse(`slt_${partOf(organizationId)}${own}`);
};

/**
 * The slot of an email of the service itself, by its name. No idempotency key leads there: what is digested for a
 * key begins with an organization's id. So nobody can claim a notice before it is sent.
 */
export const serviceSlotIdOf = (organizationId: OrganizationId, name: string): SlotId =>
  slotIdSchema.parse(
    `slt_${partOf(organizationId)}${digest(`service ${organizationId} ${name}`, slotLength)}`,
  );

/**
 * The slot to which an idempotency key leads after it was freed so often, counted from the send in the key's own slot.
 * No key leads there by itself.
 */
export const freedSlotIdOf = (origin: SendId, times: number): SlotId =>
  slotIdSchema.parse(
    `slt_${partOf(organizationIdOf(origin))}${digest(`freed ${origin} ${times}`, slotLength)}`,
  );

/** The random part of a send id: 80 bits. The send's item keeps it. */
export const newNonce = (): string => randomBase32();

/** The id of the send with this nonce in this slot. */
export const sendIdOf = (slotId: SlotId, nonce: string): SendId =>
  sendIdSchema.parse(`snd_${slotId.slice('slt_'.length)}${nonce}`);

/** The slot that a send id or a feedback id names. */
export const slotIdIn = (id: SendId | FeedbackId): SlotId =>
  slotIdSchema.parse(`slt_${id.slice('snd_'.length, -ownLength)}`);

/** The part of a send id or a feedback id that tells it from an earlier send of the same slot. */
export const ownPartIn = (id: SendId | FeedbackId): string => id.slice(-ownLength);

/** A new API key id in the organization: 80 random bits of its own. */
export const newApiKeyId = (organizationId: OrganizationId): ApiKeyId =>
  apiKeyIdOf(organizationId, randomBase32());

/** The id of the organization's API key with this own part. */
export const apiKeyIdOf = (organizationId: OrganizationId, own: string): ApiKeyId =>
  apiKeyIdSchema.parse(`key_${partOf(organizationId)}${own}`);

/** The part of an API key's id that tells it from the organization's other keys. */
export const apiKeyOwnPart = (id: ApiKeyId): string => id.slice(-ownLength);

/**
 * The send's feedback id: the slot and a one-way digest of the nonce, since a reader of mail headers
 * must not gain the send id.
 */
export const feedbackIdOf = (sendId: SendId): FeedbackId =>
  feedbackIdSchema.parse(`fbk_${sendId.slice('snd_'.length, -ownLength)}${digest(sendId)}`);

/** A new template id in the organization: 80 random bits of its own. */
export const newTemplateId = (organizationId: OrganizationId): TemplateId =>
  templateIdSchema.parse(`tpl_${partOf(organizationId)}${randomBase32()}`);

/** A new id for a change of the organization: 80 random bits of its own. */
export const newAuditEntryId = (organizationId: OrganizationId): AuditEntryId =>
  auditEntryIdSchema.parse(`aud_${partOf(organizationId)}${randomBase32()}`);

/** A new id for a session of the organization's console: 80 random bits of its own. */
export const newSessionId = (organizationId: OrganizationId): SessionId =>
  sessionIdSchema.parse(`ses_${partOf(organizationId)}${randomBase32()}`);

/** A new webhook endpoint id in the organization: 80 random bits of its own. */
export const newWebhookId = (organizationId: OrganizationId): WebhookId =>
  webhookIdSchema.parse(`whk_${partOf(organizationId)}${randomBase32()}`);

/** A new id for an upload of exactly so many bytes, below 2 ** 30: 80 random bits of its own. */
export const newUploadId = (organizationId: OrganizationId, byteLength: number): UploadId =>
  uploadIdSchema.parse(`upl_${partOf(organizationId)}${randomBase32()}${base32Number(byteLength)}`);

/**
 * How many bytes an upload has. An id that was made up tells a length too, but leads to no object:
 * the service signs the length together with the id.
 */
export const uploadByteLength = (id: UploadId): number => numberOfBase32(id.slice(-6));

/** The message id of an event that happens once, by whatever names it. */
export const webhookMessageIdOf = (
  organizationId: OrganizationId,
  event: string,
): WebhookMessageId =>
  webhookMessageIdSchema.parse(
    `msg_${partOf(organizationId)}${digest(`${organizationId} ${event}`)}`,
  );

/** The message id of what happens on request only: 80 random bits of its own. */
export const newWebhookMessageId = (organizationId: OrganizationId): WebhookMessageId =>
  webhookMessageIdSchema.parse(`msg_${partOf(organizationId)}${randomBase32()}`);

/**
 * The contact's id: a digest of organization and normalised address, so that the address leads to
 * the contact and the contact's id does not show the address. It is no secret and grants nothing.
 *
 * @throws ServiceError `contact_digest_mismatch`
 */
export function contactIdOf(organizationId: OrganizationId, identity: string): ContactId {
  const text = `${organizationId} ${identity}`;
  const own = hasKeyedContacts(organizationId) ? keyedDigest('contact', text) : digest(text);
  return contactIdSchema.parse(`con_${partOf(organizationId)}${own}`);
}

type OwnedId =
  | SlotId
  | SendId
  | FeedbackId
  | ApiKeyId
  | AuditEntryId
  | ContactId
  | WebhookId
  | DeliveryId
  | TemplateId
  | UploadId;

/** The organization that an id names. */
export function organizationIdOf(id: OwnedId): OrganizationId {
  const afterKind = id.indexOf('_') + 1;
  return organizationIdSchema.parse(`org_${id.slice(afterKind, afterKind + 16)}`);
}

/** The id, if the organization owns it. Another organization's id is as good as none. */
export const ownId = <Id extends OwnedId>(
  id: Id | undefined,
  organizationId: OrganizationId,
): Id | undefined => (id !== undefined && organizationIdOf(id) === organizationId ? id : undefined);

/** The own part of an organization's id, which every id of the organization begins with. */
export const partOf = (organizationId: OrganizationId): string =>
  organizationId.slice('org_'.length);
