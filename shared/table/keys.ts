import { hash } from 'node:crypto';
import { hasDigestKey, keyedDigest } from '#shared/tokens/contact-digest';
import {
  type ApiKeyId,
  type AuditEntryId,
  type OrganizationId,
  organizationIdOf,
  organizationIdSchema,
  type TemplateId,
  type WebhookId,
} from '#shared/tokens/resource-id';

/**
 * The keys of the table; those of sends and deliveries stand in `send-keys.ts` and `delivery-keys.ts`. Each
 * partition key begins with the organization; each send, contact and rate window is a partition of its own,
 * so no organization can make a hot one. Two kinds belong to no organization: the requests that name an
 * address and prove nothing (`bareAddressKey`), and the domains (`domainPartition`).
 */
export type Key = { readonly pk: string; readonly sk: string };

export const organizationPartition = (organizationId: OrganizationId) => `ORG#${organizationId}`;

/** The organization whose partition it is; `undefined` of a text that is no partition of this table. */
export const organizationOfPartition = (pk: string): OrganizationId | undefined =>
  organizationIdSchema.safeParse(pk.split('#')[1]).data;

export const organizationKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'ORGANIZATION',
});

export const apiKeyKey = (apiKeyId: ApiKeyId): Key => ({
  pk: organizationPartition(organizationIdOf(apiKeyId)),
  sk: `${apiKeyPrefix}${apiKeyId}`,
});

/** Where an organization's API keys stand, for a Query. */
export const apiKeysOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: apiKeyPrefix,
});

const apiKeyPrefix = 'KEY#';

export const apiKeyListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#KEYS`;

/** Lists an organization's API keys by time of creation. */
export const apiKeyListIndexKey = (apiKeyId: ApiKeyId, createdAt: number) => ({
  gsi2pk: apiKeyListPartition(organizationIdOf(apiKeyId)),
  gsi2sk: `${sortableTime(createdAt)}#${apiKeyId}`,
});

export const categoryKey = (organizationId: OrganizationId, key: string): Key => ({
  pk: organizationPartition(organizationId),
  sk: `${categoryPrefix}${key}`,
});

/** Where an organization's categories stand, for a Query. */
export const categoriesOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: categoryPrefix,
});

const categoryPrefix = 'CATEGORY#';

export const webhookKey = (webhookId: WebhookId): Key => ({
  pk: organizationPartition(organizationIdOf(webhookId)),
  sk: `${webhookPrefix}${webhookId}`,
});

/** Where an organization's webhook endpoints stand, for a Query. */
export const webhooksOf = (organizationId: OrganizationId) => ({
  pk: organizationPartition(organizationId),
  skPrefix: webhookPrefix,
});

const webhookPrefix = 'WEBHOOK#';

/** The From identity that an organization wants, beside what its sends use. */
export const identityKey = (organizationId: OrganizationId): Key => ({
  pk: organizationPartition(organizationId),
  sk: 'IDENTITY',
});

/** Where a domain's owner, the claims to it and the lease of a removal stand, for a Query. */
export const domainPartition = (domain: string): string => `DOMAIN#${domain}`;

/** The organization that a domain belongs to. */
export const domainKey = (domain: string): Key => ({ pk: domainPartition(domain), sk: 'DOMAIN' });

/** An organization wants the domain, or the operator vouches for it. There may be several. */
export const domainClaimKey = (domain: string, organizationId: OrganizationId): Key => ({
  pk: domainPartition(domain),
  sk: `CLAIM#${organizationId}`,
});

/** Held by the one process that may take the domain out of SES. */
export const domainLeaseKey = (domain: string): Key => ({
  pk: domainPartition(domain),
  sk: 'LEASE',
});

export const domainClaimListPartition = 'DOMAIN_CLAIMS';

/** Lists the claims of all organizations by time. */
export const domainClaimListIndexKey = (
  domain: string,
  organizationId: OrganizationId,
  claimedAt: number,
) => ({
  gsi2pk: domainClaimListPartition,
  gsi2sk: `${sortableTime(claimedAt)}#${organizationId}#${domain}`,
});

/** What an organization changed of its identity in an hour. `hour` counts from the epoch. */
export const identityChangesKey = (organizationId: OrganizationId, hour: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE#IDENTITY`,
  sk: `${hour}`,
});

/** Where identities wait for their next check, in the order of the moments they are due. */
export const dueIdentityIndexPartition = 'DUE_IDENTITIES';

export const dueIdentityIndexKey = (organizationId: OrganizationId, dueAt: number) => ({
  gsi1pk: dueIdentityIndexPartition,
  gsi1sk: `${sortableTime(dueAt)}#${organizationId}`,
});

/** Where the changes of an organization stand, by time. */
export const auditPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#AUDIT`;

/** Every organization's changes and nothing else, as IAM writes it. */
export const auditPartitions = 'ORG#*#AUDIT';

export const auditKey = (id: AuditEntryId, at: number): Key => ({
  pk: auditPartition(organizationIdOf(id)),
  sk: `${sortableTime(at)}#${id}`,
});

/** Epoch milliseconds as text that sorts by time. */
export const sortableTime = (moment: number): string => String(moment).padStart(15, '0');

export const shardOf = (id: string, shards: number): number =>
  id.charCodeAt(id.length - 1) % shards;

export const templatePartition = (templateId: TemplateId): string =>
  `${organizationPartition(organizationIdOf(templateId))}#TEMPLATE#${templateId}`;

export const templateKey = (templateId: TemplateId): Key => ({
  pk: templatePartition(templateId),
  sk: 'TEMPLATE',
});

/** A body stands in an item of its own: two of 256 KB and the rest exceed one item's 400 KB. */
export const templateBodyKey = (templateId: TemplateId, part: 'htmlContent' | 'content'): Key => ({
  pk: templatePartition(templateId),
  sk: `TEMPLATE#${part}`,
});

/** Holds a template's name, so that no other of the organization has it. */
export const templateNameKey = (organizationId: OrganizationId, name: string): Key => ({
  pk: `${organizationPartition(organizationId)}#TEMPLATE_NAME#${sha256(name)}`,
  sk: 'TEMPLATE_NAME',
});

export const templateListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#TEMPLATES`;

/** Lists an organization's templates by time of creation. */
export const templateListIndexKey = (templateId: TemplateId, createdAt: number) => ({
  gsi2pk: templateListPartition(organizationIdOf(templateId)),
  gsi2sk: `${sortableTime(createdAt)}#${templateId}`,
});

const ratePartition = (apiKeyId: ApiKeyId): string =>
  `${organizationPartition(organizationIdOf(apiKeyId))}#RATE#${apiKeyId}`;

/** `minute` counts from the epoch. */
export const rateWindowKey = (apiKeyId: ApiKeyId, minute: number): Key => ({
  pk: ratePartition(apiKeyId),
  sk: `${minute}`,
});

/** `day` counts from the epoch, in UTC. */
export const rateDayKey = (apiKeyId: ApiKeyId, day: number): Key => ({
  pk: ratePartition(apiKeyId),
  sk: `DAY#${day}`,
});

/** What an organization sends in ten seconds. `window` counts from the epoch. */
export const organizationRateKey = (organizationId: OrganizationId, window: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE`,
  sk: `${window}`,
});

/** What an organization has used of a day's quota. `day` counts from the epoch, in UTC. */
export const dayQuotaKey = (organizationId: OrganizationId, quota: string, day: number): Key => ({
  pk: `${organizationPartition(organizationId)}#RATE`,
  sk: `${quota}#${day}`,
});

/** Where IAM lets functions count requests. */
export const ratePartitions = 'ORG#*#RATE';

/** The requests of an hour that name an address and prove nothing. `hour` counts from the epoch. */
export const bareAddressKey = (identity: string, hour: number): Key => ({
  pk: `ADDRESS#${hasDigestKey() ? keyedDigest('request', identity) : sha256(identity)}`,
  sk: `${hour}`,
});

const usagePartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#USAGE`;

/** What an organization used in a month (`YYYY-MM`, UTC), as one shard of the table's stream tells. */
export const usageKey = (organizationId: OrganizationId, month: string, shardId: string): Key => ({
  pk: usagePartition(organizationId),
  sk: `${month}#${shardId}`,
});

/** Where an organization's usage of these months stands, both included, for a Query. */
export const usageOf = (organizationId: OrganizationId, from: string, to: string) => ({
  pk: usagePartition(organizationId),
  firstSk: `${from}#`,
  // No shard's id has a character after it.
  lastSk: `${to}#~`,
});

/** To how many the keys of an organization sent on a day (`YYYY-MM-DD`, UTC), as one shard tells. */
export const keyDayKey = (organizationId: OrganizationId, day: string, shardId: string): Key => ({
  pk: usagePartition(organizationId),
  sk: `${keyDayPrefix}${day}#${shardId}`,
});

/** Where the days of an organization's keys stand, both included, for a Query. */
export const keyDaysOf = (organizationId: OrganizationId, from: string, to: string) => ({
  pk: usagePartition(organizationId),
  firstSk: `${keyDayPrefix}${from}#`,
  lastSk: `${keyDayPrefix}${to}#~`,
});

/** `KEYS#` counted emails: beside them, recipients would look like a spike. */
const keyDayPrefix = 'KEY_RECIPIENTS#';

/** Every organization's usage partition and no other, as IAM writes it. */
export const usagePartitions = 'ORG#*#USAGE';

export const sha256 = (text: string): string => hash('sha256', text, 'hex');
