import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageResponse } from '#shared/http/page-response';
import { htmlPage } from '#shared/http/response-body';
import { findConfirmation } from '#shared/notices/find-confirmation';
import { noticeConfirmationPage } from '#shared/pages/notice-confirmation-page';
import { readsKeyring } from '#shared/tokens/keyring-reader';

export const endpoint = defineEndpoint(
  {
    route: 'GET /notices/confirmation',
    access: 'anybody',
    query: z.object({ token: z.optional(z.string()) }),
    answers: { 200: { body: htmlPage, description: 'The page.' } },
    errors: ['link_not_found'],
    isForPeople: true,
    uses: { keyring: readsKeyring },
    lambda: {
      stack: 'Links',
      reservation: 'links',
      tableActions: ['GetItem'],
    },
    words: {
      section: 'Links in emails',
      summary: 'Show the page that confirms a notice address',
      description:
        'The link mailed to a new `noticeEmail` leads here. Opening it changes nothing, because mail scanners follow links: the button on the page confirms.',
      fields: { token: 'The token from the link.' },
      example: { query: { token: 'v1.k1.…' } },
    },
  },
  async ({ query: { token } }, confirming) => {
    const { organization } = await findConfirmation(token, confirming);
    const { name, noticeEmail = '' } = organization;
    const form = { action: `/notices/confirmation?token=${token}` };
    const page = noticeConfirmationPage({ organizationName: name, noticeEmail, form });
    return pageResponse(200, page);
  },
);
