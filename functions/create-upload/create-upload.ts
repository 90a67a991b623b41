import { invalidApiKey } from '#shared/access/api-key';
import { type DayQuotas, limitUploads } from '#shared/access/limit-day';
import type { AttachmentGate } from '#shared/attachments/attachment-gate';
import { planRequired, tooLarge } from '#shared/attachments/attachment-rejection';
import type { UploadTicket, UploadTickets } from '#shared/attachments/upload-store';
import type { RequestTo } from '#shared/endpoints/endpoint';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { newUploadId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

export type UploadTicketing = Omit<AttachmentGate, 'urlPolicy'> &
  DayQuotas & {
    readonly now: () => number;
    readonly organizations: Pick<OrganizationStore, 'get'>;
    readonly uploads: UploadTickets;
  };

/** For attachments too large for a request. Refuses what couldn't be sent now, before the caller uploads it. */
export async function createUpload(
  { caller, body: { contentType, size } }: RequestTo<typeof endpoint>,
  ticketing: UploadTicketing,
): Promise<UploadTicket> {
  const now = ticketing.now();
  const organization = await ticketing.organizations.get(caller.organizationId);
  if (organization === undefined) throw invalidApiKey();

  const entitlement = await ticketing.checkEntitlement(organization, now);
  if (!entitlement.allowed) throw planRequired(entitlement, 'filename');
  const { maxTotalBytes } = ticketing.attachmentLimits;
  if (size > maxTotalBytes) throw tooLarge(size, maxTotalBytes, 'size');
  await limitUploads(organization, size, now, ticketing, { isTest: caller.apiKey.test === true });
  return ticketing.uploads.issueTicket(newUploadId(organization.id, size), contentType, now);
}
