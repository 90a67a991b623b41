import { hash } from 'node:crypto';
import { hasDigestKey, keyedDigest } from '#shared/tokens/keyed-digest';
import {
  type ApiKeyId,
  type AuditEntryId,
  type ContactId,
  hasKeyedContacts,
  type OrganizationId,
  organizationIdOf,
  organizationIdSchema,
  type TemplateId,
  type WebhookId,
} from '#shared/tokens/resource-id';

/**
 * Each partition key starts with the organization, and each send, contact and rate window has its own partition, so no
 * organization can make a hot one. What belongs to no organization has partitions of its own (`README.md`, "others").
 */
export type Key = { readonly pk: string; readonly sk: string };

export const organizationPartition = (organizationId: OrganizationId) => `ORG#${organizationId}`;

/** `undefined` if it isn't an organization's partition. */
export const organizationOfPartition = (pk: string): OrganizationId | undefined =>
  organizationIdSchema.safeParse(pk.split('#')[1]).data;

export const organizationKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'ORGANIZATION',
});

/**
 * IAM pattern: the partitions of organizations themselves, without their sends, contacts, …. An id's length is fixed.
 */
export const organizationPartitions = `ORG#org_${'?'.repeat(16)}`;

export const apiKeyKey = (apiKeyId: ApiKeyId): Key => ({
  pk: organizationPartition(organizationIdOf(apiKeyId)),
  sk: `${apiKeyPrefix}${apiKeyId}`,
});

export const apiKeysOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: apiKeyPrefix,
});

/** The people of an organization. */
export const peopleListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#PEOPLE`;

/** Lists people by when they were invited, and finds an address in every organization, to sign in with. */
export const personIndexKeys = (apiKeyId: ApiKeyId, identity: string, createdAt: number) => ({
  gsi1pk: hasKeyedContacts(organizationIdOf(apiKeyId))
    ? keyedPersonPartition(identity)
    : plainPersonPartition(identity),
  gsi1sk: apiKeyId,
  gsi2pk: peopleListPartition(organizationIdOf(apiKeyId)),
  gsi2sk: `${sortableTime(createdAt)}#${apiKeyId}`,
});

/** Where an address is found. Organizations from before the deployment had a digest key have the plain one. */
export const personPartitions = (identity: string): readonly string[] =>
  hasDigestKey()
    ? [keyedPersonPartition(identity), plainPersonPartition(identity)]
    : [plainPersonPartition(identity)];

/** A sign-in link that somebody asked to have mailed. */
export const mailedLinkKey = (id: string): Key => ({ pk: `MAILED_LINK#${id}`, sk: 'MAILED_LINK' });

/** IAM pattern. */
export const mailedLinkPartitions = 'MAILED_LINK#*';

/** All that wait to be mailed, by time. */
export const dueMailedLinksPartition = 'MAILED_LINKS_DUE';

export const dueMailedLinkIndexKey = (id: string, askedAt: number) => ({
  gsi1pk: dueMailedLinksPartition,
  gsi1sk: `${sortableTime(askedAt)}#${id}`,
});

const keyedPersonPartition = (identity: string) => `PERSON#${keyedDigest('person', identity)}`;
const plainPersonPartition = (identity: string) => `PERSON#${sha256(identity)}`;

const issuerPrefix = 'ISSUER#';

/** Whose personal keys an account at the issuer has, or one of its sessions there. */
export const issuerKey = (digest: string): Key => ({ pk: `${issuerPrefix}${digest}`, sk: 'KEYS' });

/** IAM pattern. */
export const issuerPartitions = `${issuerPrefix}*`;

/**
 * What names an address to its passkeys, in the order in which to look. Passkeys from before the deployment had a digest
 * key keep the plain one. At most 64 bytes, as WebAuthn wants of a user handle.
 */
export const accountHandlesOf = (identity: string): readonly [string, ...string[]] =>
  hasDigestKey() ? [keyedDigest('account', identity), sha256(identity)] : [sha256(identity)];

const accountPrefix = 'ACCOUNT#';

/** An address has one item, whatever organizations it signs in to. */
export const passkeysKey = (accountHandle: string): Key => ({
  pk: `${accountPrefix}${accountHandle}`,
  sk: 'PASSKEYS',
});

/** IAM pattern. */
export const accountPartitions = `${accountPrefix}*`;

const apiKeyPrefix = 'KEY#';

export const apiKeyListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#KEYS`;

export const apiKeyListIndexKey = (apiKeyId: ApiKeyId, createdAt: number) => ({
  gsi2pk: apiKeyListPartition(organizationIdOf(apiKeyId)),
  gsi2sk: `${sortableTime(createdAt)}#${apiKeyId}`,
});

export const categoryKey = (organizationId: OrganizationId, key: string): Key => ({
  pk: organizationPartition(organizationId),
  sk: `${categoryPrefix}${key}`,
});

export const categoriesOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: categoryPrefix,
});

const categoryPrefix = 'CATEGORY#';

export const webhookKey = (webhookId: WebhookId): Key => ({
  pk: organizationPartition(organizationIdOf(webhookId)),
  sk: `${webhookPrefix}${webhookId}`,
});

export const webhooksOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: webhookPrefix,
});

const webhookPrefix = 'WEBHOOK#';

/** Lists webhooks that get the audit. */
export const auditReadersPartition = 'AUDIT_READERS';

export const auditReaderIndexKey = (webhookId: WebhookId) => ({
  gsi1pk: auditReadersPartition,
  gsi1sk: webhookId,
});

/**
 * The wanted From identity, separate from the one that sends use. The default has no name here, since its domain may be
 * replaced.
 */
export const identityKey = (organizationId: OrganizationId, otherDomain?: string): Key => ({
  pk: organizationPartition(organizationId),
  sk: otherDomain === undefined ? identityName : `${identityName}#${otherDomain}`,
});

/** The default identity sorts first. */
export const identitiesOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: identityName,
});

/** The domain beside the default; `undefined` for the default itself. */
export const otherDomainOf = ({ sk }: Pick<Key, 'sk'>): string | undefined =>
  sk.startsWith(`${identityName}#`) ? sk.slice(identityName.length + 1) : undefined;

const identityName = 'IDENTITY';

/** Holds a domain's owner, claims, declarations and removal lease. */
export const domainPartition = (domain: string): string => `DOMAIN#${domain}`;

export const domainKey = (domain: string): Key => ({ pk: domainPartition(domain), sk: 'DOMAIN' });

/** Several organizations may want a domain, or the operator may vouch for them. */
export const domainClaimKey = (domain: string, organizationId: OrganizationId): Key => ({
  pk: domainPartition(domain),
  sk: `CLAIM#${organizationId}`,
});

export const domainLeaseKey = (domain: string): Key => ({
  pk: domainPartition(domain),
  sk: 'LEASE',
});

/** A resource in an app's stack declares the domain for an organization: `shared/declarations`. */
export const domainDeclarationKey = (domain: string, declarer: string): Key => ({
  pk: domainPartition(domain),
  sk: `${declarationPrefix}${declarer}`,
});

export const domainDeclarationsOf = (domain: string) => ({
  pk: domainPartition(domain),
  skPrefix: declarationPrefix,
});

const declarationPrefix = 'DECLARED#';

/** SES had the domain before the service adopted it. */
export const domainAdoptionKey = (domain: string): Key => ({
  pk: domainPartition(domain),
  sk: 'ADOPTED',
});

export const domainClaimListPartition = 'DOMAIN_CLAIMS';

/** Lists all organizations' claims by time. */
export const domainClaimListIndexKey = (
  domain: string,
  organizationId: OrganizationId,
  claimedAt: number,
) => ({
  gsi2pk: domainClaimListPartition,
  gsi2sk: `${sortableTime(claimedAt)}#${organizationId}#${domain}`,
});

/** `hour` counts from the epoch. */
export const identityChangesKey = (organizationId: OrganizationId, hour: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE#IDENTITY`,
  sk: `${hour}`,
});

/** Identities waiting for their next check, in due order. */
export const dueIdentityIndexPartition = 'DUE_IDENTITIES';

export const dueIdentityIndexKey = (organizationId: OrganizationId, dueAt: number) => ({
  gsi1pk: dueIdentityIndexPartition,
  gsi1sk: `${sortableTime(dueAt)}#${organizationId}`,
});

export const auditPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#AUDIT`;

/** IAM pattern, for every organization. */
export const auditPartitions = 'ORG#*#AUDIT';

export const auditKey = (id: AuditEntryId, at: number): Key => ({
  pk: auditPartition(organizationIdOf(id)),
  sk: `${sortableTime(at)}#${id}`,
});

/** Only changes that people made. */
export const personAuditPartition = (organizationId: OrganizationId, person: ApiKeyId): string =>
  `${auditPartition(organizationId)}#${person}`;

/** Lists what one person did, sorted like the audit itself. */
export const personAuditIndexKey = (id: AuditEntryId, at: number, person: ApiKeyId) => ({
  gsi2pk: personAuditPartition(organizationIdOf(id), person),
  gsi2sk: auditKey(id, at).sk,
});

export const refusalPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}${refusalSuffix}`;

/** The suffix of refused requests' partitions, and of no others. */
export const refusalSuffix = '#REFUSALS';

/** IAM pattern, for every organization. */
export const refusalPartitions = `ORG#*${refusalSuffix}`;

/** A key has a few places for refusals in each minute. `minute` is its start, in epoch milliseconds. */
export const refusalKey = (apiKeyId: ApiKeyId, minute: number, place: number): Key => ({
  pk: refusalPartition(organizationIdOf(apiKeyId)),
  sk: `${sortableTime(minute)}#${apiKeyId}#${String(place).padStart(2, '0')}`,
});

/** Epoch milliseconds as text that sorts by time. */
export const sortableTime = (moment: number): string => String(moment).padStart(15, '0');

export const shardOf = (id: string, shards: number): number =>
  id.charCodeAt(id.length - 1) % shards;

const templatePartition = (templateId: TemplateId): string =>
  `${organizationPartition(organizationIdOf(templateId))}#TEMPLATE#${templateId}`;

/** The version in use, the draft, and earlier versions. */
export type TemplateSlot = 'TEMPLATE' | 'DRAFT' | `VERSION#${string}`;

export const templateVersionSlot = (version: number): TemplateSlot =>
  `VERSION#${String(version).padStart(9, '0')}`;

/** Bodies and languages have their own items: two bodies of 256 KB plus the rest exceed an item's 400 KB. */
export type TemplatePart = 'htmlContent' | 'content' | `LOCALE#${string}`;

export const templatePartKey = (
  templateId: TemplateId,
  slot: TemplateSlot,
  part?: TemplatePart,
): Key => ({
  pk: templatePartition(templateId),
  sk: part === undefined ? slot : `${slot}#${part}`,
});

export const templateKey = (templateId: TemplateId): Key => templatePartKey(templateId, 'TEMPLATE');

export const templateAliasKey = (organizationId: OrganizationId, alias: string): Key => ({
  pk: `${organizationPartition(organizationId)}#TEMPLATE_ALIAS#${alias}`,
  sk: 'TEMPLATE_ALIAS',
});

export const templateNameKey = (organizationId: OrganizationId, name: string): Key => ({
  pk: `${organizationPartition(organizationId)}#TEMPLATE_NAME#${sha256(name)}`,
  sk: 'TEMPLATE_NAME',
});

export const templateListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#TEMPLATES`;

export const templateListIndexKey = (templateId: TemplateId, createdAt: number) => ({
  gsi2pk: templateListPartition(organizationIdOf(templateId)),
  gsi2sk: `${sortableTime(createdAt)}#${templateId}`,
});

const ratePartition = (apiKeyId: ApiKeyId): string =>
  `${organizationPartition(organizationIdOf(apiKeyId))}#RATE#${apiKeyId}`;

/** `minute` counts since the epoch. */
export const rateWindowKey = (apiKeyId: ApiKeyId, minute: number): Key => ({
  pk: ratePartition(apiKeyId),
  sk: `${minute}`,
});

/** `day` counts since the epoch, in UTC. */
export const rateDayKey = (apiKeyId: ApiKeyId, day: number): Key => ({
  pk: ratePartition(apiKeyId),
  sk: `DAY#${day}`,
});

/** Spans of ten seconds; `window` counts them since the epoch. */
export const organizationRateKey = (organizationId: OrganizationId, window: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE`,
  sk: `${window}`,
});

/** `day` is in UTC days since the epoch. */
export const dayQuotaKey = (organizationId: OrganizationId, quota: string, day: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE`,
  sk: `${dayQuotaSortKeyPrefix(quota)}${day}`,
});

export const dayQuotaSortKeyPrefix = (quota: string): string => `${quota}#`;

/** IAM pattern, for every organization. */
export const ratePartitions = 'ORG#*#RATE';

/** A request that waits for slow files behind URLs holds one of an organization's places. */
export const fetchLeaseKey = (organizationId: OrganizationId, place: number): Key => ({
  pk: `${organizationPartition(organizationId)}#FETCHES`,
  sk: `${place}`,
});

const bareAddressPrefix = 'ADDRESS#';

/** For requests that give only an address. `hour` counts since the epoch. */
export const bareAddressKey = (identity: string, hour: number): Key => ({
  pk: `${bareAddressPrefix}${hasDigestKey() ? keyedDigest('request', identity) : sha256(identity)}`,
  sk: `${hour}`,
});

/** Attempts at a webhook host, by all organizations. `span` counts since the epoch. */
export const hostWindowKey = (host: string, span: number): Key => ({
  pk: `HOST#${sha256(host)}`,
  sk: `${span}`,
});

/** IAM pattern. */
export const bareAddressPartitions = `${bareAddressPrefix}*`;

const usagePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#USAGE`;

/** A month's usage (`YYYY-MM`, UTC), as counted by one shard of the table's stream. */
export const usageKey = (organizationId: OrganizationId, month: string, shardId: string): Key => ({
  pk: usagePartition(organizationId),
  sk: `${month}#${shardId}`,
});

/** Both months included. */
export const usageOf = (organizationId: OrganizationId, from: string, to: string) => ({
  pk: usagePartition(organizationId),
  firstSk: `${from}#`,
  // Shard ids contain no character that sorts after it.
  lastSk: `${to}#~`,
});

/** Recipients per key on a day (`YYYY-MM-DD`, UTC), as counted by one shard. */
export const keyDayKey = (organizationId: OrganizationId, day: string, shardId: string): Key => ({
  pk: usagePartition(organizationId),
  sk: `${keyDayPrefix}${day}#${shardId}`,
});

/** Both days included. */
export const keyDaysOf = (organizationId: OrganizationId, from: string, to: string) => ({
  pk: usagePartition(organizationId),
  firstSk: `${keyDayPrefix}${from}#`,
  lastSk: `${keyDayPrefix}${to}#~`,
});

/** The busiest tags of a month (`YYYY-MM`, UTC), as counted by one shard. */
export const tagUsageKey = (
  organizationId: OrganizationId,
  month: string,
  shardId: string,
): Key => ({
  pk: usagePartition(organizationId),
  sk: `${tagPrefix}${month}#${shardId}`,
});

export const tagUsageOf = (organizationId: OrganizationId, month: string) => ({
  pk: usagePartition(organizationId),
  skPrefix: `${tagPrefix}${month}#`,
});

const tagPrefix = 'TAGS#';

/** An hour's metrics, counted by all shards. @param hour since the epoch. */
export const metricsKey = (organizationId: OrganizationId, hour: number): Key => ({
  pk: usagePartition(organizationId),
  sk: `${metricsPrefix}${hourText(hour)}`,
});

/** From the hour `from` up to, but without, the hour `until`. */
export const metricsOf = (organizationId: OrganizationId, from: number, until: number) => ({
  pk: usagePartition(organizationId),
  firstSk: `${metricsPrefix}${hourText(from)}`,
  lastSk: `${metricsPrefix}${hourText(until - 1)}`,
});

const metricsPrefix = 'METRICS#';

/** In text order until the year 3110. */
const hourText = (hour: number): string => String(hour).padStart(7, '0');

/** `KEYS#` counted emails. Compared with those, recipients would look like a spike. */
const keyDayPrefix = 'KEY_RECIPIENTS#';

/** IAM pattern, for every organization. */
export const usagePartitions = 'ORG#*#USAGE';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');

export const contactSortKey = 'CONTACT';

export const contactKey = (contactId: ContactId): Key => ({
  pk: `${organizationPartition(organizationIdOf(contactId))}#CONTACT#${contactId}`,
  sk: contactSortKey,
});

/** IAM pattern, for every organization. */
export const contactPartitions = 'ORG#*#CONTACT#*';

/** Not a keyed digest: it's stored beside the address itself and deleted with it. */
export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

/** Sharded like the list of sends: an import's contacts would fill one partition and throttle other writers. */
const contactListShards = 8;

const shardPartition = (organizationId: OrganizationId, shard: number): string =>
  `${organizationPartition(organizationId)}#CONTACTS#${shard}`;

/** The lists contain contacts with known addresses. */
export const contactListPartitions = (organizationId: OrganizationId): string[] =>
  Array.from({ length: contactListShards }, (_, shard) => shardPartition(organizationId, shard));

/** Sorted by address (`EmailAddress.identity`). */
export const contactListIndexKey = (identity: string, contactId: ContactId) => ({
  gsi2pk: shardPartition(organizationIdOf(contactId), shardOf(contactId, contactListShards)),
  gsi2sk: identity,
});

/** In `gsi1`: due work, by owner and then by time. */
export type DueIndex = {
  readonly name: string;
  /** They spread one owner's entries, because a partition takes 1,000 writes a second. */
  readonly shards: number;
};

export const duePartition = ({ name }: DueIndex, shard: number): string => `${name}#${shard}`;

/** The owner is first in the sort key, so one Query reads an owner's due entries, and another skips them all. */
export const dueIndexKeyOf = (index: DueIndex, id: string, owner: string, dueAt: number) => ({
  gsi1pk: duePartition(index, shardOf(id, index.shards)),
  gsi1sk: dueFrom(owner, dueAt),
});

export const beforeAllDue = '!';

/** Sorts before everything of an owner that is due at this time or later. */
export const dueFrom = (owner: string, time: number): string => `${owner}#${sortableTime(time)}`;

/** Sort keys, both ends included, with whatever follows the time in them. */
export const dueRange = (owner: string, now: number) => ({
  first: `${owner}#`,
  last: `${dueFrom(owner, now)}~`,
});

/** Sorts after all of an owner's entries and before the next owner's. */
export const afterDueOf = (owner: string): string => `${owner}#~`;

type NoticeName = {
  readonly organizationId: OrganizationId;
  readonly cause: string;
  /** For example a webhook's id. */
  readonly about: string;
  readonly day: string;
  /** Of a copy for one of the organization's targets. */
  readonly target?: string | undefined;
};

const noticePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#NOTICES`;

export const noticeKey = ({ organizationId, cause, about, day, target }: NoticeName): Key => ({
  pk: noticePartition(organizationId),
  sk: [day, cause, about, ...(target === undefined ? [] : [target])].join('#'),
});

export const noticeTargetsKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'NOTICE_TARGETS',
});

/** IAM pattern, for every organization. */
export const noticePartitions = 'ORG#*#NOTICES';

/** A day's notices, invitations, or requests for confirmation. */
export const noticeCountKey = (
  organizationId: OrganizationId,
  what: 'SENT' | 'TARGETED' | 'INVITATIONS' | 'CONFIRMATIONS',
  day: string,
): Key => ({ pk: noticePartition(organizationId), sk: `${what}#${day}` });

export const confirmationCountKey = (mailbox: string, day: string): Key => ({
  pk: `ADDRESS#${sha256(mailbox)}`,
  sk: `CONFIRMATIONS#${day}`,
});

/** All unsent notices, by organization, then by time. */
export const dueNoticesPartition = 'NOTICES_DUE';

export const dueNoticeIndexKey = (organizationId: OrganizationId, dueAt: number) => ({
  gsi1pk: dueNoticesPartition,
  gsi1sk: `${organizationId}#${sortableTime(dueAt)}`,
});

/** @throws ZodError if it isn't such a key. */
export function readDueNoticeIndexKey(sortKey: string) {
  const [owner, dueAt] = sortKey.split('#');
  return { organizationId: organizationIdSchema.parse(owner), dueAt: Number(dueAt) };
}

/** Lists organizations by creation in one partition: no deployment creates a thousand a second. */
export const organizationListPartition = 'ORGANIZATIONS';

export const organizationListIndexKey = (id: OrganizationId, createdAt: number) => ({
  gsi2pk: organizationListPartition,
  gsi2sk: `${sortableTime(createdAt)}#${id}`,
});

export const deletedOrganizationKey = (id: OrganizationId): Key => ({
  pk: organizationPartition(id),
  sk: 'DELETED',
});

export const deletedOrganizationListPartition = 'DELETED_ORGANIZATIONS';

/** Lists deleted organizations that may have data left. */
export const deletedOrganizationListIndexKey = (id: OrganizationId, deletedAt: number) => ({
  gsi2pk: deletedOrganizationListPartition,
  gsi2sk: `${sortableTime(deletedAt)}#${id}`,
});

/** Outlives the organization that has the link domain. */
export const linkDomainKey = (host: string): Key => ({ pk: `LINK_DOMAIN#${host}`, sk: 'OWNER' });

export const purgeKey: Key = { pk: 'PURGE', sk: 'PURGE' };

/** The organization that a resource in an app's stack declares. Exists before the organization, and after it. */
export const organizationDeclarationKey = (declarer: string): Key => ({
  pk: `DECLARED#${declarer}`,
  sk: 'ORGANIZATION',
});

/** The cause is kept out of the contact's item, which every send reads and which must stay small. */
export const suppressionKey = (contactId: ContactId, reason: string): Key => ({
  pk: contactKey(contactId).pk,
  sk: `SUPPRESSION#${reason}`,
});

/** Sharded like the sends: an import, or a day of bounces, would fill one partition and throttle other writers. */
const suppressionListShards = 8;

const reasonShardPartition = (
  organizationId: OrganizationId,
  reason: string,
  shard: number,
): string => `${organizationPartition(organizationId)}#SUPPRESSIONS#${reason}#${shard}`;

export const suppressionListPartitions = (
  organizationId: OrganizationId,
  reason: string,
): string[] =>
  Array.from({ length: suppressionListShards }, (_, shard) =>
    reasonShardPartition(organizationId, reason, shard),
  );

/** The reason tells apart two suppressions of a contact from the same moment when several lists are read as one. */
export const suppressionListIndexKey = (contactId: ContactId, reason: string, at: number) => ({
  gsi2pk: reasonShardPartition(
    organizationIdOf(contactId),
    reason,
    shardOf(contactId, suppressionListShards),
  ),
  gsi2sk: `${sortableTime(at)}#${reason}-${contactId}`,
});

export const importLeaseKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'IMPORT',
});
