import type { AttachmentDependencies } from '#shared/attachments/admit-attachments';
import { planRequired, tooLarge } from '#shared/attachments/attachment-rejection';
import type { IssueTicket, UploadTicket } from '#shared/attachments/upload';
import { invalidApiKey, requireScope } from '#shared/organizations/api-key';
import { type Authentication, authenticateKey } from '#shared/organizations/authenticate-caller';
import type { Organization } from '#shared/organizations/organization';
import { newUploadId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import type { CreateUploadRequest } from './schema.ts';

export type CreateUploadDependencies = Authentication &
  AttachmentDependencies & {
    readonly getOrganization: (id: OrganizationId) => Promise<Organization | undefined>;
    readonly issueTicket: IssueTicket;
  };

/**
 * Answers where to put an attachment that is too large to be inside a request. What could not be sent
 * anyway is refused now, before the caller uploads it.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `plan_required`, `too_large`
 */
export async function createUpload(
  credential: string | undefined,
  parse: () => CreateUploadRequest,
  dependencies: CreateUploadDependencies,
): Promise<UploadTicket> {
  const apiKey = await authenticateKey(credential, dependencies);
  requireScope(apiKey, 'send_email');
  const { contentType, size } = parse();
  const now = dependencies.now();
  const organization = await dependencies.getOrganization(organizationIdOf(apiKey.id));
  if (organization === undefined) throw invalidApiKey();

  const entitlement = await dependencies.checkEntitlement(organization, now);
  if (!entitlement.allowed) throw planRequired(entitlement, 'filename');
  const { maxTotalBytes } = dependencies.attachmentLimits;
  if (size > maxTotalBytes) throw tooLarge(size, maxTotalBytes, 'size');
  return dependencies.issueTicket(newUploadId(organization.id, size), contentType, now);
}
