import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { type Key, organizationPartition, sha256 } from './keys.ts';

export const contactSortKey = 'CONTACT';

export const contactKey = (contactId: ContactId): Key => ({
  pk: `${organizationPartition(organizationIdOf(contactId))}#CONTACT#${contactId}`,
  sk: contactSortKey,
});

/** Every organization's contacts and nothing else, as IAM writes it. */
export const contactPartitions = 'ORG#*#CONTACT#*';

export const contactIndexPartition = (identity: string): string => `EMAIL#${sha256(identity)}`;

/** Finds the contacts with one address in every organization. */
export const contactIndexKey = (identity: string, contactId: ContactId) => ({
  gsi1pk: contactIndexPartition(identity),
  gsi1sk: contactId,
});

/** All contacts of an organization whose addresses it knows. */
export const contactListPartition = (organizationId: OrganizationId): string =>
  `${organizationPartition(organizationId)}#CONTACTS`;

/** Lists them by address (`EmailAddress.identity`). */
export const contactListIndexKey = (identity: string, contactId: ContactId) => ({
  gsi2pk: contactListPartition(organizationIdOf(contactId)),
  gsi2sk: identity,
});
