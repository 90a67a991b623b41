import { type ContactId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { contactKey } from './contact-keys.ts';
import { type Key, organizationPartition, sortableTime } from './keys.ts';

/** What caused a suppression stands beside the contact, so that the contact, which every send reads, stays small. */
export const suppressionKey = (contactId: ContactId, reason: string): Key => ({
  pk: contactKey(contactId).pk,
  sk: `SUPPRESSION#${reason}`,
});

/** Lists an organization's suppressions of one reason by time. */
export const suppressionListPartition = (organizationId: OrganizationId, reason: string): string =>
  `${organizationPartition(organizationId)}#SUPPRESSIONS#${reason}`;

/** The reason tells two suppressions of one contact and moment apart, when several lists are read as one. */
export const suppressionListIndexKey = (contactId: ContactId, reason: string, at: number) => ({
  gsi2pk: suppressionListPartition(organizationIdOf(contactId), reason),
  gsi2sk: `${sortableTime(at)}#${reason}-${contactId}`,
});
