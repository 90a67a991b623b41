import * as z from 'zod/mini';
import { base32Number, digest, numberOfBase32, randomBase32 } from './base32.ts';
import { hasDigestKey, keyedDigest } from './keyed-digest.ts';

/**
 * Ids are `<kind>_<organization><own part>`, lower-case base32 (RFC 4648 §6 without padding): safe in a URL, an SES
 * message tag and a header. The organization's part is 16 characters, 80 bits; the own part differs by kind. An id
 * names its organization, so it leads to its partition without a lookup index.
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
/** A send's partition, where its idempotency key and all its ids lead. */
export type SlotId = z.infer<typeof slotIdSchema>;

export const sendIdSchema = idOf('snd', organizationPart + slotPart + ownPart).brand<'SendId'>();
/**
 * The slot and a random nonce. It can't be guessed even with the idempotency key, because the id alone may read a send
 * made with a key without scopes.
 */
export type SendId = z.infer<typeof sendIdSchema>;

export const feedbackIdSchema = idOf(
  'fbk',
  organizationPart + slotPart + ownPart,
).brand<'FeedbackId'>();
/** Names a send to SES and on the wire. It travels in mail headers, so it doesn't reveal the send id. */
export type FeedbackId = z.infer<typeof feedbackIdSchema>;
/** Leads every SES event back to its send. */
export const feedbackIdTag = 'feedback-id';

export const apiKeyIdSchema = idOf('key').brand<'ApiKeyId'>();
export type ApiKeyId = z.infer<typeof apiKeyIdSchema>;

export const contactIdSchema = idOf('con').brand<'ContactId'>();
export type ContactId = z.infer<typeof contactIdSchema>;

export const webhookIdSchema = idOf('whk').brand<'WebhookId'>();
export type WebhookId = z.infer<typeof webhookIdSchema>;

export const webhookMessageIdSchema = idOf('msg').brand<'WebhookMessageId'>();
export type WebhookMessageId = z.infer<typeof webhookMessageIdSchema>;

export const deliveryIdSchema = idOf(
  'dlv',
  `${organizationPart}(?:s${slotPart}|[cw])${ownPart}${ownPart}`,
).brand<'DeliveryId'>();
/** Names the send or contact whose partition holds the delivery, or the webhook for a test. */
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
/** Not a secret: it grants nothing. */
export type SessionId = z.infer<typeof sessionIdSchema>;

export const auditEntryIdSchema = idOf('aud').brand<'AuditEntryId'>();
export type AuditEntryId = z.infer<typeof auditEntryIdSchema>;

/** 80 random bits; with a key for address digests, 60 and a mark that says so. */
export function newOrganizationId(): OrganizationId {
  const random = randomBase32();
  const unmarked = random.slice(0, -markLength);
  const part = hasDigestKey() ? unmarked + keyedMarkOf(unmarked) : random;
  const id = organizationIdSchema.parse(`org_${part}`);
  return hasKeyedContacts(id) === hasDigestKey() ? id : newOrganizationId();
}

/**
 * Whose people operate the deployment (`access/operators.ts`). It's in no list, and no organization gets this id: 80
 * random bits.
 */
export const operatorsId: OrganizationId = organizationIdSchema.parse(`org_${'a'.repeat(16)}`);

/** Of one that isn't the operators' own. */
export const listedOrganizationId = organizationIdSchema.check(
  z.refine((id) => id !== operatorsId, { error: 'must be an organization in the list' }),
);

const markLength = 4;

const keyedMarkOf = (unmarked: string): string =>
  digest(`keyed contacts ${unmarked}`, 8).slice(0, markLength);

/**
 * Whether contact ids are keyed digests. The organization's id says so, because writers of suppressions have nothing
 * else. One in a million has the mark by chance, which `requireSameDigest` detects.
 */
export function hasKeyedContacts(organizationId: OrganizationId): boolean {
  const part = partOf(organizationId);
  return part.slice(-markLength) === keyedMarkOf(part.slice(0, -markLength));
}

/**
 * Without an idempotency key, 120 random bits. Test emails never share slots with real ones, because their digests'
 * inputs start differently.
 */
export const slotIdOf = (
  organizationId: OrganizationId,
  idempotencyKey: string | undefined,
  { isTest = false }: { readonly isTest?: boolean } = {},
): SlotId => {
  const mode = isTest ? 'test ' : '';
  const own =
    idempotencyKey === undefined
      ? randomBase32(slotLength)
      : digest(`${mode}${organizationId} ${idempotencyKey}`, slotLength);
  return slotIdSchema.parse(`slt_${partOf(organizationId)}${own}`);
};

/**
 * For the service's own emails, by name. An idempotency key can't lead there, because its digest input starts with an
 * organization id: a notice can't be claimed before it's sent.
 */
export const serviceSlotIdOf = (organizationId: OrganizationId, name: string): SlotId =>
  slotIdSchema.parse(
    `slt_${partOf(organizationId)}${digest(`service ${organizationId} ${name}`, slotLength)}`,
  );

/** Counts from the send in the key's own slot. No key leads there directly. */
export const freedSlotIdOf = (origin: SendId, times: number): SlotId =>
  slotIdSchema.parse(
    `slt_${partOf(organizationIdOf(origin))}${digest(`freed ${origin} ${times}`, slotLength)}`,
  );

/** 80 bits of a send id. The send's item keeps it. */
export const newNonce = (): string => randomBase32();

export const sendIdOf = (slotId: SlotId, nonce: string): SendId =>
  sendIdSchema.parse(`snd_${slotId.slice('slt_'.length)}${nonce}`);

export const slotIdIn = (id: SendId | FeedbackId): SlotId =>
  slotIdSchema.parse(`slt_${id.slice('snd_'.length, -ownLength)}`);

/** Tells a send from earlier ones in its slot. */
export const ownPartIn = (id: SendId | FeedbackId): string => id.slice(-ownLength);

export const newApiKeyId = (organizationId: OrganizationId): ApiKeyId =>
  apiKeyIdOf(organizationId, randomBase32());

export const apiKeyIdOf = (organizationId: OrganizationId, own: string): ApiKeyId =>
  apiKeyIdSchema.parse(`key_${partOf(organizationId)}${own}`);

/** Tells an API key from the organization's others. */
export const apiKeyOwnPart = (id: ApiKeyId): string => id.slice(-ownLength);

/** The slot and a one-way digest of the nonce, so that mail headers don't reveal the send id. */
export const feedbackIdOf = (sendId: SendId): FeedbackId =>
  feedbackIdSchema.parse(`fbk_${sendId.slice('snd_'.length, -ownLength)}${digest(sendId)}`);

export const newTemplateId = (organizationId: OrganizationId): TemplateId =>
  templateIdOf(organizationId, randomBase32());

export const templateIdOf = (organizationId: OrganizationId, own: string): TemplateId =>
  templateIdSchema.parse(`tpl_${partOf(organizationId)}${own}`);

/** Tells a template from the organization's others. */
export const templateOwnPart = (id: TemplateId): string => id.slice(-ownLength);

export const newAuditEntryId = (organizationId: OrganizationId): AuditEntryId =>
  auditEntryIdSchema.parse(`aud_${partOf(organizationId)}${randomBase32()}`);

export const newSessionId = (organizationId: OrganizationId): SessionId =>
  sessionIdSchema.parse(`ses_${partOf(organizationId)}${randomBase32()}`);

export const newWebhookId = (organizationId: OrganizationId): WebhookId =>
  webhookIdSchema.parse(`whk_${partOf(organizationId)}${randomBase32()}`);

/** @param byteLength below 2 ** 30. */
export const newUploadId = (organizationId: OrganizationId, byteLength: number): UploadId =>
  uploadIdSchema.parse(`upl_${partOf(organizationId)}${randomBase32()}${base32Number(byteLength)}`);

/** A made-up id has a length too, but no object: the service signs the length with the id. */
export const uploadByteLength = (id: UploadId): number => numberOfBase32(id.slice(-6));

/** For an event that happens once. */
export const webhookMessageIdOf = (
  organizationId: OrganizationId,
  event: string,
): WebhookMessageId =>
  webhookMessageIdSchema.parse(
    `msg_${partOf(organizationId)}${digest(`${organizationId} ${event}`)}`,
  );

/** For events that happen only on request. */
export const newWebhookMessageId = (organizationId: OrganizationId): WebhookMessageId =>
  webhookMessageIdSchema.parse(`msg_${partOf(organizationId)}${randomBase32()}`);

/** The address leads to the contact, but the id doesn't show the address. It's no secret and grants nothing. */
export function contactIdOf(organizationId: OrganizationId, identity: string): ContactId {
  const text = `${organizationId} ${identity}`;
  const own = hasKeyedContacts(organizationId) ? keyedDigest('contact', text) : digest(text);
  return contactIdSchema.parse(`con_${partOf(organizationId)}${own}`);
}

/**
 * The personal key of somebody who signs in with this address. Someone who is invited again has the same one, so two
 * invitations at once make one person.
 */
export function personalKeyIdOf(organizationId: OrganizationId, identity: string): ApiKeyId {
  const text = `${organizationId} ${identity}`;
  const own = hasKeyedContacts(organizationId)
    ? keyedDigest('person', text)
    : digest(`person ${text}`);
  return apiKeyIdOf(organizationId, own);
}

/** As whom an operator with this address has entered an organization: nobody whom it invited. */
export const enteredKeyIdOf = (organizationId: OrganizationId, identity: string): ApiKeyId =>
  // No address is in front of another, so no invited one leads here.
  personalKeyIdOf(organizationId, `operator ${identity}`);

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

export function organizationIdOf(id: OwnedId): OrganizationId {
  const afterKind = id.indexOf('_') + 1;
  return organizationIdSchema.parse(`org_${id.slice(afterKind, afterKind + 16)}`);
}

/** Another organization's id is treated as unknown. */
export const ownId = <Id extends OwnedId>(
  id: Id | undefined,
  organizationId: OrganizationId,
): Id | undefined => (id !== undefined && organizationIdOf(id) === organizationId ? id : undefined);

export const partOf = (organizationId: OrganizationId): string =>
  organizationId.slice('org_'.length);
