import { findConfirmation, type NoticeConfirming } from '#shared/notices/find-confirmation';
import type { Organization } from '#shared/organizations/organization';

/**
 * Finds the organization whose notices the holder of a token may confirm. Following the link changes nothing.
 *
 * @throws ServiceError `link_not_found`
 */
export async function showNoticeConfirmation(
  token: string | undefined,
  confirming: NoticeConfirming,
): Promise<Organization> {
  return (await findConfirmation(token, confirming)).organization;
}
