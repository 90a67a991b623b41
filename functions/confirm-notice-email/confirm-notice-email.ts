import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { isConfirmedBy } from '#shared/notices/confirmation';
import { findConfirmation, type NoticeConfirming } from '#shared/notices/find-confirmation';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { organizationPartitions } from '#shared/table/keys';
import { readsKeyring } from '#shared/tokens/keyring-reader';

export const endpoint = defineEndpoint(
  {
    route: 'POST /notices/confirmation',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    answers: {
      200: { body: htmlPage, description: 'The page says that the address is confirmed.' },
    },
    errors: ['link_not_found', 'concurrent_change'],
    isForPeople: true,
    uses: { keyring: readsKeyring },
    lambda: {
      stack: 'Links',
      reservation: 'links',
      tableActions: ['GetItem', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [organizationPartitions] },
      writesAudit: true,
    },
    words: {
      section: 'Links in emails',
      summary: 'Confirm a notice address',
      description:
        'Takes the form of the page. The organization’s `noticeEmailState` is then `confirmed`, until it sets a different address.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token } }, confirming) => {
    const { name, noticeEmail = '' } = await confirmNoticeEmail(token, confirming);
    return pageResponse(200, noticeConfirmationPage({ organizationName: name, noticeEmail }));
  },
);

/** Idempotent: pressing the button again changes nothing. */
export async function confirmNoticeEmail(
  token: string | undefined,
  confirming: NoticeConfirming,
): Promise<Organization> {
  const { confirmation } = await findConfirmation(token, confirming);
  const confirm = (organization: Organization): Organization => {
    // The address may have been changed since.
    if (!isConfirmedBy(organization, confirmation)) throw new ServiceError('link_not_found');
    return { ...organization, noticeEmailState: 'confirmed' };
  };
  return changeOrganization(confirmation.organizationId, 'notice_email', confirm, confirming);
}
