import { invalidApiKey } from '#shared/access/api-key';
import { type Authentication, authenticateKey } from '#shared/access/authenticate';
import { requireScope } from '#shared/access/scopes';
import type { AttachmentGate } from '#shared/attachments/attachment-gate';
import { planRequired, tooLarge } from '#shared/attachments/attachment-rejection';
import { limitUploads } from '#shared/attachments/limit-uploads';
import type { UploadBytesStore } from '#shared/attachments/upload-bytes-store';
import type { UploadStore, UploadTicket } from '#shared/attachments/upload-store';
import type { GivenLimits } from '#shared/organizations/organization-limits';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { newUploadId, organizationIdOf } from '#shared/tokens/resource-id';
import type { CreateUploadRequest } from './endpoint.ts';

/** What issuing a ticket for an upload uses. */
export type UploadTicketing = Authentication &
  AttachmentGate & {
    readonly organizations: Pick<OrganizationStore, 'get'>;
    readonly uploads: UploadStore;
    readonly uploadBytes: UploadBytesStore;
    readonly limitsOfDeployment: GivenLimits;
  };

/**
 * Answers where to put an attachment that is too large to be inside a request. Refuses now, before the
 * caller uploads it, what could not be sent.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `plan_required`, `too_large`,
 *   `upload_limit_reached`
 */
export async function createUpload(
  credential: string | undefined,
  parse: () => CreateUploadRequest,
  ticketing: UploadTicketing,
): Promise<UploadTicket> {
  const apiKey = await authenticateKey(credential, ticketing);
  requireScope(apiKey, 'send_email');
  const { contentType, size } = parse();
  const now = ticketing.now();
  const organization = await ticketing.organizations.get(organizationIdOf(apiKey.id));
  if (organization === undefined) throw invalidApiKey();

  const entitlement = await ticketing.checkEntitlement(organization, now);
  if (!entitlement.allowed) throw planRequired(entitlement, 'filename');
  const { maxTotalBytes } = ticketing.attachmentLimits;
  if (size > maxTotalBytes) throw tooLarge(size, maxTotalBytes, 'size');
  await limitUploads(organization, size, now, ticketing);
  return ticketing.uploads.issueTicket(newUploadId(organization.id, size), contentType, now);
}
