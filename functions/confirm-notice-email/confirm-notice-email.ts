import { ServiceError } from '#shared/errors/service-error';
import { isConfirmedBy } from '#shared/notices/confirmation';
import { findConfirmation, type NoticeConfirming } from '#shared/notices/find-confirmation';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';

/** Idempotent: pressing the button again changes nothing. */
export async function confirmNoticeEmail(
  token: string | undefined,
  confirming: NoticeConfirming & OrganizationChanging,
): Promise<Organization> {
  const { confirmation } = await findConfirmation(token, confirming);
  const confirm = (organization: Organization): Organization => {
    // The address may have been changed since.
    if (!isConfirmedBy(organization, confirmation)) throw new ServiceError('link_not_found');
    return { ...organization, noticeEmailState: 'confirmed' };
  };
  return changeOrganization(confirmation.organizationId, 'notice_email', confirm, confirming);
}
